from dataclasses import replace

from pincite.chunking.policy import docs


def test_whatever_moves_a_cut_changes_the_identity() -> None:
    policy = docs(256)
    same = policy.identity("wordpiece-1")
    assert same == docs(256).identity("wordpiece-1")
    others = [docs(255), replace(policy, name="knowledge"), replace(policy, version=policy.version + 1)]
    identities = {same, policy.identity("wordpiece-2"), *(other.identity("wordpiece-1") for other in others)}
    assert len(identities) == 5
