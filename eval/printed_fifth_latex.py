"""Pieces of which the fifth set's looks for pdfLaTeX are drawn (see `printed_fifth_css`)."""
# ruff: noqa: E501

from printed_fifth_css import Piece

NO_NOTES = r"\usepackage{etoolbox}\renewcommand{\marginpar}[2][]{}"
PAGES = (
    Piece(r"\documentclass[a4paper,11pt]{article}\usepackage[margin=2.6cm]{geometry}" + NO_NOTES, width_pt=447),
    Piece(
        r"\documentclass[letterpaper,10pt,twocolumn]{article}\usepackage[margin=1.9cm,columnsep=18pt]{geometry}\usepackage{supertabular}"
        + NO_NOTES
        + r"\usepackage{ragged2e}\AtBeginEnvironment{supertabular}{\tiny\tabcolsep=2pt\def\raggedright{\RaggedRight\hspace{0pt}}}",
        "short",
        width_pt=243,
        columns=2,
    ),
    Piece(
        r"\documentclass[a4paper,10pt,twoside]{book}\usepackage[inner=2.2cm,outer=5.2cm,vmargin=2.5cm,marginparwidth=3.6cm]{geometry}",
        "chapters",
        width_pt=384,
    ),
    Piece(
        r"\documentclass[a5paper,10pt]{article}\usepackage[margin=1.6cm]{geometry}"
        + NO_NOTES
        + r"\AtBeginEnvironment{longtable}{\scriptsize\tabcolsep=3pt}",
        width_pt=329,
    ),
    Piece(
        r"\documentclass[a4paper,12pt]{report}\usepackage[margin=3cm]{geometry}\linespread{1.3}"
        + NO_NOTES
        + r"\AtBeginEnvironment{longtable}{\small\linespread{1}\selectfont}",
        "chapters",
        width_pt=424,
    ),
    Piece(
        r"\documentclass[letterpaper,landscape,10pt]{article}\usepackage[margin=2.4cm]{geometry}" + NO_NOTES,
        width_pt=640,
    ),
)
FONTS = tuple(
    Piece(rf"\usepackage{{{name}}}{more}")
    for name, more in (
        ("lmodern", ""),
        ("mathptmx", ""),
        ("utopia", ""),
        ("helvet", r"\renewcommand{\familydefault}{\sfdefault}"),
        ("newcent", ""),
        ("avant", r"\renewcommand{\familydefault}{\sfdefault}"),
    )
)
PARAGRAPHS = (
    Piece(""),
    Piece(r"\usepackage{parskip}"),
    Piece(r"\raggedright\setlength{\parindent}{1.2em}"),
    Piece(r"\usepackage{microtype}\setlength{\parindent}{2em}"),
    Piece(r"\usepackage{parskip}\hyphenpenalty=10000"),
)
HEADINGS = (
    Piece(""),
    Piece(
        r"\usepackage{titlesec}\titleformat*{\section}{\large\scshape\centering}\titleformat*{\subsection}{\normalsize\itshape}"
    ),
    Piece(
        r"\usepackage{titlesec}\titleformat*{\section}{\Large\sffamily\bfseries\color[HTML]{1F5C99}}\titleformat*{\subsection}{\large\sffamily\color[HTML]{1F5C99}}\titleformat*{\subsubsection}{\normalsize\sffamily\color[HTML]{1F5C99}}"
    ),
    Piece(
        r"\usepackage{titlesec}\titleformat{\section}{\normalsize\bfseries}{\thesection}{.5em}{\MakeUppercase}\titleformat*{\subsection}{\normalsize\bfseries}\titleformat{\subsubsection}[runin]{\normalsize\bfseries\itshape}{\thesubsubsection}{.5em}{}[.]"
    ),
    Piece(
        r"\usepackage{titlesec}\titleformat{\section}{\Large\bfseries}{\thesection}{1em}{}[\titlerule]\titleformat*{\subsection}{\large\mdseries}"
    ),
    Piece(
        r"\usepackage{titlesec}\titleformat*{\section}{\Large\mdseries\raggedleft}\titleformat*{\subsection}{\normalsize\bfseries\raggedleft}"
    ),
)
NUMBERS = (
    Piece(""),
    Piece(r"\setcounter{secnumdepth}{3}"),
    Piece(
        r"\setcounter{secnumdepth}{2}\renewcommand{\thesection}{\Roman{section}.}\renewcommand{\thesubsection}{\Alph{subsection}.}"
    ),
    Piece(""),
    Piece(r"\setcounter{secnumdepth}{1}\renewcommand{\thesection}{\S~\arabic{section}}"),
)
RULES = (
    Piece(r"\renewcommand{\Top}{\toprule}\renewcommand{\Below}{\midrule}\renewcommand{\Bottom}{\bottomrule}"),
    Piece(r"\renewcommand{\Top}{\hline}\renewcommand{\Below}{\hline}\renewcommand{\Row}{\hline}", "bars"),
    Piece(r"\renewcommand{\Below}{\midrule}"),
    Piece(r"\renewcommand{\Top}{\hline}\renewcommand{\Below}{\hline\hline}\renewcommand{\Row}{\hline}"),
    Piece("", "bars"),
    Piece(r"\renewcommand{\Top}{\rowcolor[gray]{.8}}\renewcommand{\Below}{\hline}\renewcommand{\Bottom}{\hline}"),
    Piece(""),
)
CELLS = (
    Piece(""),
    Piece(r"\renewcommand{\Head}[1]{\textit{#1}}\renewcommand{\arraystretch}{1.3}"),
    Piece(r"\renewcommand{\Head}[1]{#1}\tabcolsep=4pt"),
    Piece(r"\renewcommand{\Head}[1]{\textsc{#1}}\renewcommand{\arraystretch}{1.1}"),
)
CAPTIONS = (Piece(""), Piece("", "below"), Piece(""))
CODE = (
    Piece(r"\lstset{basicstyle=\ttfamily\footnotesize}", code_pt=4.8),
    Piece(r"\lstset{basicstyle=\ttfamily\footnotesize,frame=single}", code_pt=4.8, padding_pt=8),
    Piece(
        r"\lstset{basicstyle=\ttfamily\scriptsize,numbers=left,numberstyle=\tiny,numbersep=6pt,xleftmargin=16pt}",
        code_pt=4.2,
        padding_pt=18,
    ),
    Piece(r"\lstset{basicstyle=\ttfamily\small,backgroundcolor=\color[gray]{.92}}", code_pt=5.4),
    Piece(
        r"\lstset{basicstyle=\ttfamily\footnotesize,frame=lines,language=Python,commentstyle=\itshape\color[gray]{.4}}",
        code_pt=4.8,
    ),
)
LISTS = (
    Piece(""),
    Piece(r"\renewcommand{\labelitemi}{--}"),
    Piece(r"\usepackage{enumitem}\setlist{nosep,leftmargin=2.4em}\renewcommand{\labelitemi}{$\triangleright$}"),
    Piece(r"\renewcommand{\labelitemi}{$\circ$}"),
)
HEADS = (
    Piece(r"\pagestyle{plain}"),
    Piece(
        r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[L]{\small Laboratory Report 12}\fancyhead[R]{\small Group C}\fancyfoot[R]{\small Page \thepage}"
    ),
    Piece(r"\pagestyle{empty}"),
    Piece(r"\pagestyle{headings}"),
    Piece(
        r"\usepackage{fancyhdr}\pagestyle{fancy}\fancyhf{}\fancyhead[C]{\footnotesize\itshape Journal of Applied Studies, Vol. 18}\fancyfoot[C]{\footnotesize\thepage}\renewcommand{\headrulewidth}{0pt}"
    ),
)
