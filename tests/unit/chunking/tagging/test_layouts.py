"""How the layouts of standards bodies are cut: small texts in the manner of each."""

from pathlib import Path

import pytest

from pincite.chunking.clauses import ClausePolicy
from pincite.embedding.wordpiece import WordPiece
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.registry import FORMATS

HEAD_CHARS = 28
"""Characters of a chunk that name it below."""

ISO_AND_EN = """\
# Foreword

ISO procedures must be followed.

# Introduction

Users must know.

# 1 Scope

This document specifies pumps.

# 2 Normative references

ISO 1234:2019, Pumps — Part 1, shall apply.

# 3 Terms and definitions

For the purposes of this document, the terms and definitions given in ISO 9000 and the following apply.

## 3.1 Pumps

### 3.1.1

pump

device that moves fluid

Note 1 to entry: A pump shall have an inlet.

[SOURCE: ISO 1000:2001, 3.1]

### 3.1.2

**valve**
part that closes

# 4 Requirements

## 4.1 General

### 4.1.1 The pump shall start within 5 s (see 4.2).

### 4.1.2 The outlet should be blue.

It shall be possible to stop the pump.

NOTE The pump can be stopped by hand, which must be quick.

EXAMPLE A pump must not run dry.

## 4.2 Test

a) The tester shall wait.

b) The tester may leave;

1) he must return.

# Annex A
(informative)

# Test rigs

## A.1 General

The rig shall stand.

# Annex ZA
(normative)

## ZA.1 Clauses

Members shall report.

# Bibliography

[1] ISO must.
"""
ISO_AND_EN_CHUNKS = """\
-          -          overview        ISO procedures must be follo
1          -          overview        This document specifies pump
2          -          reference       ISO 1234:2019, Pumps — Part
3          -          guidance        For the purposes of this doc
3.1.1      -          definition      pump device that moves fluid
3.1.1      -          guidance        Note 1 to entry: A pump shal
3.1.1      -          reference       [SOURCE: ISO 1000:2001, 3.1]
3.1.2      -          definition      **valve** part that closes
4.1.1      normative  requirement     ### 4.1.1 The pump shall sta
4.1.2      -          recommendation  ### 4.1.2 The outlet should
4.1.2      normative  requirement     It shall be possible to stop
4.1.2      -          guidance        NOTE The pump can be stopped
4.1.2      -          example         EXAMPLE A pump must not run
4.2        normative  requirement     a) The tester shall wait.
4.2        -          guidance        b) The tester may leave;
4.2        normative  requirement     1) he must return.
A          -          annex           (informative)
A.1        -          annex           The rig shall stand.
ZA         -          annex           (normative)
ZA.1       normative  requirement     Members shall report.
-          -          reference       [1] ISO must.
"""

MIL_STD = """\
# 1. SCOPE

1.1 Scope. This standard covers connectors.

1.2 Classification. Connectors shall be of the types of table I.

# 3. DEFINITIONS

3.1 Connector. A device that joins wires.

3.2 Acquiring activity. The activity that buys.

# 4. REQUIREMENTS

4.1 General. The connector shall mate.

4.1.1 Materials. Materials shall be as specified in MIL-STD-889 and 4.2.

4.1.1.1 Plating. Gold should be used.

4.2 Marking. The maker shall mark it.

# 6. NOTES

(This section contains information of a general or explanatory nature that may be helpful, but is not mandatory.)

6.1 Intended use. The connector must be used in planes.
"""
MIL_STD_CHUNKS = """\
1.1        -          overview        1.1 Scope. This standard cov
1.2        normative  requirement     1.2 Classification. Connecto
3.1        -          definition      3.1 Connector. A device that
3.2        -          definition      3.2 Acquiring activity. The
4.1        normative  requirement     4.1 General. The connector s
4.1.1      normative  requirement     4.1.1 Materials. Materials s
4.1.1.1    -          recommendation  4.1.1.1 Plating. Gold should
4.2        normative  requirement     4.2 Marking. The maker shall
6          -          guidance        (This section contains infor
6.1        -          guidance        6.1 Intended use. The connec
"""

ITU_T = """\
# Recommendation ITU-T X.999

# Summary

This Recommendation must be read.

# 1 Scope

It is here.

# 3 Definitions

## 3.1 Terms defined elsewhere

This Recommendation uses the following terms defined elsewhere:

3.1.1 **entity** [ITU-T X.1252]: Something that has separate existence.

## 3.2 Terms defined in this Recommendation

This Recommendation defines the following terms:

3.2.1 **agent**: A program that acts.

# 4 Abbreviations and acronyms

This Recommendation uses the following abbreviations and acronyms:

IdP Identity Provider

SP   Service Provider

# 7 Body

The IdP is required to answer. The SP can optionally wait. It is recommended that it logs.

# Annex A

(This annex forms an integral part of this Recommendation.)

The IdP shall log.

# Appendix I

(This appendix does not form an integral part of this Recommendation.)

The SP shall log.
"""
ITU_T_CHUNKS = """\
-          -          overview        # Recommendation ITU-T X.999
1          -          overview        It is here.
3.1        -          guidance        This Recommendation uses the
3.1.1      -          definition      3.1.1 **entity** [ITU-T X.12
3.2        -          guidance        This Recommendation defines
3.2.1      -          definition      3.2.1 **agent**: A program t
4          -          guidance        This Recommendation uses the
4          -          definition      IdP Identity Provider
4          -          definition      SP Service Provider
7          normative  requirement     The IdP is required to answe
7          -          guidance        The SP can optionally wait.
7          -          recommendation  It is recommended that it lo
A          -          annex           (This annex forms an integra
A          normative  requirement     The IdP shall log.
I          -          annex           (This appendix does not form
"""

ECSS = """\
# 3 Terms, definitions and abbreviated terms

## 3.1 Terms from other standards

For the purpose of this Standard, the terms and definitions from ECSS-S-ST-00-01 apply.

## 3.2 Terms specific to the present standard

### 3.2.1 anomaly

deviation from what is expected

### 3.2.2 failure

event that ends a function

## 3.3 Abbreviated terms

| Abbreviation | Meaning |
|---|---|
| AIT | assembly, integration and test |

# 5 Requirements

## 5.2 Software

### 5.2.1 Planning

#### 5.2.1.1 Plan

a. The supplier shall write a plan.

b. The plan shall be agreed with the customer in conformance with clause 5.2.1.

NOTE 1 The plan must be short.

c. The supplier should review it.

EXPECTED OUTPUT: Plan [MF, PRR].

| ECSS-Q-ST-80_1 | The supplier shall keep records. |
|---|---|
| ECSS-Q-ST-80_2 | The supplier may delete them. |
"""
ECSS_CHUNKS = """\
3.1        -          guidance        For the purpose of this Stan
3.2.1      -          definition      deviation from what is expec
3.2.2      -          definition      event that ends a function
3.3        -          definition      | AIT | assembly, integratio
5.2.1.1    normative  requirement     a. The supplier shall write
5.2.1.1    normative  requirement     b. The plan shall be agreed
5.2.1.1    -          guidance        NOTE 1 The plan must be shor
5.2.1.1    -          recommendation  c. The supplier should revie
5.2.1.1    -          guidance        EXPECTED OUTPUT: Plan [MF, P
5.2.1.1    normative  requirement     | ECSS-Q-ST-80_1 | The suppl
5.2.1.1    -          table           | ECSS-Q-ST-80_2 | The suppl
"""

A_REGULATION = """\
# REGULATION (EU) 2099/1

Whereas:

(1) Data must be protected.

## CHAPTER I General provisions

### Article 1 Subject-matter

1. This Regulation lays down rules.

### Article 4 Definitions

For the purposes of this Regulation:

(1) ‘personal data’ means any information relating to a person;

(2) ‘processing’ means any operation;

## CHAPTER II Principles

### Article 5 Principles

1. Personal data shall be processed lawfully.

2. The controller shall be responsible for paragraph 1, and Article 4 applies.

### § 6 Duties

The controller must answer. He may refuse.
"""
A_REGULATION_CHUNKS = """\
-          -          guidance        Whereas:
-          normative  requirement     (1) Data must be protected.
1          -          guidance        1. This Regulation lays down
4          -          definition      (1) ‘personal data’ means an
4          -          definition      (2) ‘processing’ means any o
5          normative  requirement     1. Personal data shall be pr
5          normative  requirement     2. The controller shall be r
6          normative  requirement     The controller must answer.
6          -          guidance        He may refuse.
"""

DO_178_AND_NASA = """\
# 5.0 SOFTWARE DEVELOPMENT

## 5.1 Requirements Process

[REQ-001] The process shall produce requirements.

SRS-12: The system shall log. Rationale: logs must exist.

5.1.2 [SWE-050] The project manager shall establish requirements.

Note: This must be done early.

The guidance for this activity includes:

a. Each requirement should be verifiable.

b. Derived requirements should be defined.

**Verification:** The tester shall inspect the log.
"""
DO_178_AND_NASA_CHUNKS = """\
5.1        normative  requirement     [REQ-001] The process shall
5.1        normative  requirement     SRS-12: The system shall log
5.1        -          guidance        Rationale: logs must exist.
5.1.2      normative  requirement     5.1.2 [SWE-050] The project
5.1.2      -          guidance        Note: This must be done earl
5.1.2      -          recommendation  a. Each requirement should b
5.1.2      -          recommendation  b. Derived requirements shou
5.1.2      normative  requirement     **Verification:** The tester
"""

AN_RFC_AS_TEXT = """\
Internet Engineering Task Force (IETF)                   A. Backman, Ed.
Request for Comments: 1234                                        Amazon
Category: Standards Track                                  February 2024


                        HTTP Things

Abstract

   This document describes things that MUST be.

Status of This Memo

   This is an Internet Standards Track document.

Copyright Notice

   Code Components extracted from this document must include the
   Revised BSD License text.

Table of Contents

   1.  Introduction
     1.1.  Conventions and Terminology
   2.  Creating
   Appendix A.  Detecting

1.  Introduction

   Message integrity is important (see Section 2.1).

1.1.  Conventions and Terminology

   The key words "MUST", "MUST NOT", "REQUIRED", "SHALL", "SHALL NOT",
   "SHOULD", "SHOULD NOT", "MAY", and "OPTIONAL" in this document are to
   be interpreted as described in BCP 14 [RFC2119] [RFC8174].

   This document uses the following terms:

   HTTP Message Component:  A portion of an HTTP message that is capable
      of being covered by an HTTP message signature.

   Signature Base:  The sequence of bytes processed by the cryptographic
      algorithm.  The signer MUST create it.

2.  Creating

   In order to create a signature, a signer MUST apply the following
   algorithm:

   1.  The signer chooses an algorithm.

   2.  If the parameter is present, it MUST be a string.

   *  The component value MUST be a single line.  It SHOULD be short.

   |  Note: The signer must look at this.

2.1.  Requirements

   A server MUST NOT wait.  For example, it must not sleep.  An
   implementation MAY ignore it.

   NOTE: '\\\\' line wrapping per RFC 8792

   "@method": POST

3.  Security Considerations

   Implementors ought to read.  Verifiers SHOULD check Section 2.1 of [HTTP].

4.  References

4.1.  Normative References

   [RFC2119]  Bradner, S., "Key words for use in RFCs to Indicate
              Requirement Levels", BCP 14, RFC 2119.

Appendix A.  Detecting

   There have been MUST things.

Acknowledgements

   The authors must thank.

Authors' Addresses

   A. Backman
"""
AN_RFC_AS_TEXT_CHUNKS = """\
-          -          overview        Internet Engineering Task Fo
-          -          overview        1. Introduction 1.1. Convent
1          -          overview        Message integrity is importa
1.1        -          guidance        The key words "MUST", "MUST
1.1        -          definition      HTTP Message Component: A po
1.1        -          definition      Signature Base: The sequence
1.1        normative  requirement     The signer MUST create it.
2          normative  requirement     In order to create a signatu
2          -          guidance        1. The signer chooses an alg
2          normative  requirement     2. If the parameter is prese
2          normative  requirement     * The component value MUST b
2          -          recommendation  It SHOULD be short.
2          -          guidance        | Note: The signer must look
2.1        normative  requirement     A server MUST NOT wait.
2.1        -          guidance        For example, it must not sle
3          -          guidance        Implementors ought to read.
3          -          recommendation  Verifiers SHOULD check Secti
4.1        -          reference       [RFC2119] Bradner, S., "Key
A          normative  requirement     There have been MUST things.
-          -          overview        The authors must thank. Auth
"""

A_W3C_SPECIFICATION = """\
<html><body>
<h1>DIDs</h1><section id="abstract">
<h2>Abstract</h2>
<p>x must y.</p></section>
<h2>1. Introduction</h2>
<p><em>This section is non-normative.</em></p>
<p>It must be.</p>
<h3>1.1 A Simple Example</h3>
<p><em>This section is non-normative.</em></p>
<div class="example">
<div class="marker">Example 1</div>
<pre>x must</pre></div>
<h2>2. Terminology</h2>
<p><em>This section is non-normative.</em></p>
<p>This section defines the terms.</p>
<dl>
<dt><dfn>authenticate</dfn></dt><dd>Authentication is a process by which an entity can prove it has an attribute.</dd>
<dt>binding</dt><dd>A concrete mechanism used by a caller.</dd></dl>
<h2>3. Identifier</h2>
<p>This section describes the formal syntax. The term "generic" is used.
All DIDs <em class="rfc2119">MUST</em> conform to it.</p>
<div class="note" role="note">
<div class="note-title marker"><span>Note</span></div>
<p>A DID must be unique.</p></div>
<div class="note">
<p><strong>Note: About</strong></p>
<p>It must.</p></div>
<h3>3.1 Syntax</h3>
<p>A conforming <dfn>DID method</dfn> <em>MUST</em> be named.</p>
<p>A <dfn>DID URL</dfn> is a network location identifier.</p>
<dl>
<dt>id</dt><dd>The value of <code>id</code> MUST be a string.</dd></dl>
<ul>
<li>Items MUST be.</li>
<li>Items may.</li></ul>
<h2>A. Examples</h2>
<p>This section is non-normative.</p>
<h3>A.1 DID Documents</h3>
<p>MUST see.</p>
<h2>B. IANA</h2>
<p>Producers MUST register.</p>
<h3>B.1 media type</h3>
<p>Values MUST be.</p>
<h2>D. References</h2>
<h3>D.1 Normative references</h3>
<dl>
<dt>[X]</dt><dd>MUST x.</dd></dl></body></html>"""
A_W3C_SPECIFICATION_CHUNKS = """\
-          -          overview        x must y. ## 1. Introduction
1.1        -          overview        This section is non-normativ
1.1        -          example         Example 1 ``` x must ```
2          -          guidance        This section is non-normativ
2          -          definition      - **authenticate** Authentic
2          -          definition      - **binding** A concrete mec
3          -          guidance        This section describes the f
3          normative  requirement     All DIDs MUST conform to it.
3          -          guidance        Note A DID must be unique. N
3.1        normative  requirement     A conforming *DID method* MU
3.1        -          definition      A *DID URL* is a network loc
3.1        normative  requirement     - **id** The value of id MUS
3.1        normative  requirement     - Items MUST be.
3.1        -          guidance        - Items may.
A          -          example         This section is non-normativ
A.1        -          example         MUST see.
B          normative  requirement     Producers MUST register.
B.1        normative  requirement     Values MUST be.
D.1        -          reference       - **[X]** MUST x.
"""


@pytest.mark.parametrize(
    ("name", "text", "chunks"),
    [
        pytest.param("a.md", ISO_AND_EN, ISO_AND_EN_CHUNKS, id="ISO and EN"),
        pytest.param("a.md", MIL_STD, MIL_STD_CHUNKS, id="MIL-STD"),
        pytest.param("a.md", ITU_T, ITU_T_CHUNKS, id="ITU-T"),
        pytest.param("a.md", ECSS, ECSS_CHUNKS, id="ECSS"),
        pytest.param("a.md", A_REGULATION, A_REGULATION_CHUNKS, id="a regulation"),
        pytest.param("a.md", DO_178_AND_NASA, DO_178_AND_NASA_CHUNKS, id="DO-178 and NASA"),
        pytest.param("a.txt", AN_RFC_AS_TEXT, AN_RFC_AS_TEXT_CHUNKS, id="an RFC as text"),
        pytest.param("a.html", A_W3C_SPECIFICATION, A_W3C_SPECIFICATION_CHUNKS, id="a W3C specification"),
    ],
)
def test_a_layout_is_cut_as_its_readers_understand_it(name: str, text: str, chunks: str) -> None:
    row = next(row for row in FORMATS if Path(name).suffix in row.extensions)
    found = read_document(row, Blob(name, text.encode()), ReadOptions(), Call())
    lines = [
        f"{chunk.tags.clause or '-':10} {'normative' if chunk.tags.normative else '-':10} {chunk.tags.chunk_type:15} "
        + " ".join(chunk.text[chunk.embed_start :].split())[:HEAD_CHARS]
        for chunk in ClausePolicy(200, 800, 100).cut(found, WordPiece(), Call())
    ]
    assert [line.rstrip() for line in lines] == chunks.splitlines()
