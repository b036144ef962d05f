import asyncio

from pincite.transports.mcp.flow import MAX_OPEN_BYTES, MAX_UNWRITTEN_BYTES, MAX_UNWRITTEN_MESSAGES, Flow


def test_requests_that_are_not_answered_stop_the_input_until_they_are() -> None:
    flow, resumed = Flow(4), list[bool]()
    flow.on_room(lambda: resumed.append(flow.is_full))
    flow.opened(1, MAX_OPEN_BYTES)
    assert flow.is_full
    flow.closed(2)
    assert flow.is_full and not resumed
    flow.closed(1)
    assert not flow.is_full and resumed == [False]


def test_messages_that_are_not_read_stop_the_input() -> None:
    flow = Flow(4)
    for _ in range(MAX_UNWRITTEN_MESSAGES + 1):
        flow.queued(1)
    assert flow.is_full
    flow.written(1)
    assert not flow.is_full


def test_a_call_waits_while_much_waits_to_be_read() -> None:
    async def run() -> list[str]:
        flow, seen = Flow(4), list[str]()
        flow.queued(MAX_UNWRITTEN_BYTES + 1)

        async def call() -> None:
            async with flow.call():
                seen.append("begun")

        waiting = asyncio.create_task(call())
        await asyncio.sleep(0)
        seen.append("read")
        flow.written(MAX_UNWRITTEN_BYTES + 1)
        await waiting
        return seen

    assert asyncio.run(run()) == ["read", "begun"]
