from pincite.formats.pdf.layout.survey import RUN, RUNS, sample


def test_a_long_document_is_looked_at_in_runs() -> None:
    runs = sample(1000)
    assert len(runs) == RUNS and all(len(run) == RUN for run in runs)
    assert (runs[0].start, runs[-1].stop) == (1, 1001)
    assert [number for run in sample(20) for number in run] == list(range(1, 21))
