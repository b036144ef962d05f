import numpy as np
import pytest

pytest.importorskip("cv2", reason="text recognition needs pip install 'pincite[ocr]'")

from pincite.formats.ocr.noise import MAX_NOISE_LEVELS, denoised, noise


def paper(grain: float) -> np.ndarray[tuple[int, int, int], np.dtype[np.uint8]]:
    levels = np.full((120, 160, 1), 200.0)
    levels[40:50, 20:140] = 20.0
    levels += np.random.default_rng(3).normal(0, grain, levels.shape) if grain else 0.0
    return np.repeat(np.clip(levels, 0, 255).astype(np.uint8), 3, axis=2)


def test_clean_paper_has_no_grain_and_a_poor_scan_has() -> None:
    assert noise(paper(0)) == 0
    assert noise(paper(22)) > 3 * MAX_NOISE_LEVELS


def test_print_does_not_count_as_grain() -> None:
    lines = np.full((100, 100, 3), 255, np.uint8)
    lines[10::30] = 0
    assert noise(lines) < 0.1


def test_grain_is_taken_out_and_print_stays() -> None:
    clean = denoised(paper(22))
    assert noise(clean) < MAX_NOISE_LEVELS
    assert clean[45, 80].max() < 60
    assert clean[100, 80].min() > 150
