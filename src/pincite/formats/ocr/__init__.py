"""Recognition of the text in pictures (OCR).

Enters: pictures of pages, and the engine that the settings name.
Leaves: recognised words with boxes and confidences.
First: `engine`.
Free: preparation of pictures. Engines are rows of `registry`; one needs only the interface in `engine`.
    Its languages are settings (`settings.readers`).
Modules: choice, engine, noise, rapid, recognise, scaling, tesseract.
"""
