"""English function and question words, left out of keyword queries but not of embedded ones."""

_LISTED = """
a about above after again against all also am an and any anyone anything are aren't as at be because been before being
below between both but by can can't cannot could couldn't did didn't do does doesn't doing don't down during each else
ever every few for from further get gets give given go goes had hadn't has hasn't have haven't having he her here hers
him his how i i'd i'll i'm i've if in into is isn't it it's its itself just let let's like many may me might mine more
most much must mustn't my myself need needn't no nor not now of off on once one only or other our ours out over own
please same shall she should shouldn't so some something such tell than that that's the their theirs them then there
there's these they thing things this those through to too under until up upon us use used using very want was wasn't
way we were weren't what what's when where which while who whom whose why will with within without won't would wouldn't
you your yours
"""

STOPWORDS = frozenset(_LISTED.split())
