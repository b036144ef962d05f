from pincite.formats.pdf.layout.survey import PAGES_PER_RUN, SURVEY_RUNS, sample_runs


def test_a_long_document_is_looked_at_in_runs() -> None:
    runs = sample_runs(1000)
    assert len(runs) == SURVEY_RUNS and all(len(run) == PAGES_PER_RUN for run in runs)
    assert (runs[0].start, runs[-1].stop) == (1, 1001)
    assert [number for run in sample_runs(20) for number in run] == list(range(1, 21))
