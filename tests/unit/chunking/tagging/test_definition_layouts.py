"""Definitions in the layouts of standards bodies, laws and handbooks: each term is found, and nothing else is one."""

import pytest

from pincite.chunking.clauses import ClausePolicy
from pincite.embedding.wordpiece import WordPiece
from pincite.formats.base import Blob, ReadOptions
from pincite.formats.detect.sniff import detect
from pincite.formats.worker.read import read_document
from pincite.model.call import Call
from pincite.services.library.terms import definition_text, headwords

POLICY = ClausePolicy(minimum=200, maximum=800, overlap=100)

Entry = tuple[str, str]
"""A term, and the first words of its definition."""

LAYOUTS: dict[str, tuple[str, str, list[Entry]]] = {
    "IEC": (
        "iec.md",
        """\
# 3 Terms, definitions and abbreviated terms

For the purposes of this document, the terms and definitions given in IEC 60050-395 and the following apply.

ISO and IEC maintain terminology databases at the following addresses:

- IEC Electropedia: available at https://www.electropedia.org/
- ISO Online browsing platform: available at https://www.iso.org/obp

## 3.1 Terms and definitions

### 3.1.1
**accident condition**
deviation from normal operation that is more severe than anticipated operational occurrences

Note 1 to entry: Accident conditions shall be analysed.

[SOURCE: IAEA Safety Glossary, 2018]

### 3.1.2
**channel**
arrangement of interconnected components within a system that initiates a single output

### 3.1.3
**common cause failure**
**CCF**
failure of two or more structures due to a single event

EXAMPLE: A flood shall be considered.

## 3.2 Abbreviated terms

| CCF | common cause failure |
|---|---|
| I&C | instrumentation and control |
| NPP | nuclear power plant |

# 4 Requirements

The channel shall be tested.
""",
        [
            ("accident condition", "deviation from normal"),
            ("channel", "arrangement of"),
            ("common cause failure", "failure of two"),
            ("CCF", "common cause failure"),
            ("I&C", "instrumentation"),
            ("NPP", "nuclear power"),
        ],
    ),
    "ISO 55000": (
        "iso-inline.md",
        """\
# 3 Terms and definitions

**3.1 asset**: item, thing or entity that has potential or actual value to an organization

**3.2 asset life**: period from asset creation to asset end-of-life

**3.3 life cycle**: stages involved in the management of an asset

NOTE The naming may vary.

**3.4 level of service** parameters, or combination of parameters, which reflect social outcomes
""",
        [
            ("asset", "item, thing"),
            ("asset life", "period from"),
            ("life cycle", "stages involved"),
            ("level of service", "parameters, or"),
        ],
    ),
    "definition list": (
        "glossary.html",
        """\
<html><body><h1>Handbook</h1><h2>Appendix A: Glossary</h2><p>This glossary is informative.</p>
<dl><dt>Baseline</dt><dd>An agreed-to set of requirements that will have changes controlled.</dd>
<dt>Critical Path</dt><dd>The sequence of tasks that determines the longest duration.</dd>
<dd>Any change shall be reviewed.</dd>
<dt>Derived Requirements</dt><dt>DR</dt><dd>Requirements arising from constraints or design choices.</dd>
<dt>Verification</dt><dd><p>Proof of compliance with specifications.</p><p>See also validation.</p></dd></dl>
<h2>Chapter 1</h2><dl><dt>Step one</dt><dd>Press the button.</dd></dl></body></html>""",
        [
            ("Baseline", "An agreed-to"),
            ("Critical Path", "The sequence"),
            ("Derived Requirements", "Requirements arising"),
            ("Verification", "Proof of"),
        ],
    ),
    "table with acronyms": (
        "table.html",
        """\
<html><body><h1>Policy</h1><h2>2 Glossary of terms</h2>
<table><thead><tr><th>Term</th><th>Acronym</th><th>Definition</th></tr></thead>
<tbody><tr><td>Information owner</td><td>IO</td><td>Official with authority for specified information.</td></tr>
<tr><td>Risk</td><td></td><td>A measure of the extent to which an entity is threatened.</td></tr></tbody></table>
<h2>3 Roles</h2>
<table><tr><th>Role</th><th>Description</th></tr><tr><td>Owner</td><td>Pays the bill.</td></tr></table>
</body></html>""",
        [("Information owner", "Official with"), ("Risk", "A measure")],
    ),
    "regulation": (
        "law.md",
        """\
# Regulation on data

## CHAPTER I General provisions

### Article 1 Subject-matter

This Regulation lays down rules.

### Article 4 Definitions

For the purposes of this Regulation:

(1) 'personal data' means any information relating to an identified natural person;

(2) 'processing' means any operation which is performed on personal data, such as collection;

(3) 'restriction of processing' means the marking of stored personal data with the aim of limiting their processing;

(4) ‘profiling’ means any form of automated processing;

### Article 5 Principles

Personal data shall be processed lawfully.
""",
        [
            ("personal data", "means any information"),
            ("processing", "means any operation"),
            ("restriction of processing", "means the marking"),
            ("profiling", "means any form"),
        ],
    ),
    "act": (
        "us-code.md",
        """\
# Title 44

## § 3552. Definitions

(a) In General.— Except as provided under subsection (b), the definitions under section 3502 shall apply.

(b) Additional Definitions.— As used in this subchapter:

(1) The term "binding operational directive" means a compulsory direction to an agency.

(2) The term "incident" means an occurrence that actually jeopardizes the integrity of information.

(3) The term "information security" means protecting information from unauthorized access.
""",
        [
            ("binding operational directive", "compulsory"),
            ("incident", "an occurrence"),
            ("information security", "protecting"),
        ],
    ),
    "RFC": (
        "abbr.txt",
        """\
1. Introduction

   This memo describes a protocol.

2. Abbreviations

   AS      Autonomous System
   BGP     Border Gateway Protocol
   MED     Multi-Exit Discriminator
   RIB     Routing Information Base

3. Terminology

   Adj-RIB-In:  The Adj-RIBs-In contains unprocessed routing information
      that has been advertised to the local speaker.

   Feasible route:  An advertised route that is available for use by the
      recipient.

   Route
      A unit of information that pairs a set of destinations with the
      attributes of a path.

4. Operation

   The speaker MUST send a message.
""",
        [
            ("AS", "Autonomous System"),
            ("BGP", "Border"),
            ("MED", "Multi"),
            ("RIB", "Routing Info"),
            ("Adj-RIB-In", "unprocessed"),
            ("Feasible route", "An advertised"),
            ("Route", "A unit"),
        ],
    ),
    "NASA": (
        "nasa.md",
        """\
# Appendix B Definitions

*Anomaly*. The unexpected performance of intended function.

*Assembly.* A functional unit viewed as an entity.

*Certification*: The written statement that an item meets its requirements.

Hazard. A state or a set of conditions that could potentially cause harm.

Waiver. A documented authorization that releases a program from a requirement.
""",
        [
            ("Anomaly", "The unexpected"),
            ("Assembly", "A functional"),
            ("Certification", "The written"),
            ("Hazard", "A state"),
            ("Waiver", "A documented"),
        ],
    ),
    "ECSS": (
        "ecss.md",
        """\
# 3 Terms, definitions and abbreviated terms

## 3.1 Terms from other standards

For the purpose of this Standard, the terms and definitions from ECSS-S-ST-00-01 apply.

## 3.2 Terms specific to the present standard

### 3.2.1 acceptance stage

verification stage with the objective of demonstrating that the product is free of workmanship errors

NOTE The stage is done on flight hardware.

### 3.2.2 analysis

verification method performing theoretical or empirical evaluation

## 3.3 Abbreviated terms

For the purpose of this Standard, the following abbreviated terms apply:

**AIT** assembly, integration and test

**AR** acceptance review

**CDR** critical design review

## 3.4 Nomenclature

The word 'shall' is used in this standard to express requirements.
""",
        [
            ("acceptance stage", "verification stage"),
            ("analysis", "verification method"),
            ("AIT", "assembly"),
            ("AR", "acceptance review"),
            ("CDR", "critical design"),
        ],
    ),
    "IEEE": (
        "ieee.md",
        """\
# 3. Definitions

For the purposes of this document, the following terms and definitions apply.
The IEEE Standards Dictionary Online should be consulted for other terms.

**acquirer:** Stakeholder that acquires or procures a product from a supplier. *Contrast:* **supplier**.

**attribute:** An inherent property of an entity that can be distinguished. NOTE—Other words are used.

**baseline:** (A) A specification that has been formally reviewed. (B) A formal version of a configuration item.

**builder:** *See:* **developer**.
""",
        [("acquirer", "Stakeholder"), ("attribute", "An inherent"), ("baseline", "A specification")],
    ),
    "terms on lines of their own": (
        "policy.md",
        """\
# 10 Files

## 10.7.1 Definitions

The following terms are used in this manual.

configuration file

A file that affects the operation of a program. Scripts in /etc must be treated as such.

conffile

A file listed in the conffiles of a package (see 10.7.2).

In short

These files are those of the administrator.

Note

A name may be long.

The end

That is all
""",
        [("configuration file", "affects the operation"), ("conffile", "listed in")],
    ),
    "running text": (
        "body.md",
        """\
# Guide

## 2 Concepts

A *work package* is the lowest level of the structure. Work packages, sometimes called *packets*, are planned.


We define a *threat* as any circumstance with the potential to cause harm.

Throughout this guide, "user" shall mean the person that operates the system.

"Local" files are not shared. Those "new" hosts are those we like.

Traceability (the ability to follow a requirement) is important. The manual means a lot to us.

The system is a large one. This is called for in the contract. Costs are defined by the buyer.
""",
        [
            ("work package", "is the lowest level"),
            ("threat", "any circumstance"),
            ("user", "the person"),
        ],
    ),
    "marked terms": (
        "widgets.html",
        """\
<html><body><h1>Widget packaging</h1>
<h2>1 Introduction</h2><p>A widget is a small application. A "user" means a lot to us.</p>
<h2>2 Model</h2>
<p>A <dfn>widget package</dfn> bundles files for transport. Each package has a manifest.</p>
<p>When a user agent reads the bundle it obtains the <dfn id="start">start file</dfn>, which it shows first.</p>
<p>This is called a "suffix" by some.</p>
<p>The <dfn>packer</dfn> and the <dfn>unpacker</dfn> write and read it, respectively.</p>
<ul><li>A <dfn>distributor</dfn> hands it to users.</li></ul>
<p>A <dfn>part</dfn> consists of:</p><p>The <dfn>reader</dfn> is defined by the platform.</p>
<p>It accepts */* and text/*;q=0.5, audio/*, or a rule as 1*DIGIT *ALPHA "*" and *( x )*, x*y*z.</p>
<p>A <dfn>signed widget</dfn> MUST carry a signature.</p>
<p>NOTE: A <dfn>badge</dfn> is not covered. The rate is 3 * 4 * 5.</p>
<h3>2.1 Manifest</h3><p>The manifest is a file that lists the others.</p>
</body></html>""",
        [
            ("widget package", "bundles files"),
            ("distributor", "hands it"),
        ],
    ),
    "terms that are names of sections": (
        "iso-names.md",
        """\
# 3 Terms and definitions

## 3.1 requirement

statement which translates or expresses a need

Note 1 to entry: A requirement must be verifiable.

## 3.2 scope

what is covered

## 3.3 bibliography

list of books

## 3.4 example

thing that shows

## 3.5 definition

statement of what a term means

## 3.6 Requirements

A set of statements.

## 3.7 General

This clause has terms of the field.
""",
        [
            ("requirement", "translates or"),
            ("scope", "what is covered"),
            ("bibliography", "list of books"),
            ("example", "thing that"),
            ("definition", "of what a term"),
            ("Requirements", "A set of"),
        ],
    ),
    "terms and definitions in turn": (
        "ogc.md",
        """\
# 4. Terms and Definitions

For the purposes of this document, the following terms and definitions apply.

boundary (line)

Geometric representation of a catchment, usually a curve.

NOTE: This definition references that of a divide.

data set

collection of data

exorheic

Draining [ultimately] into the ocean.

4.1
pump
device that moves fluid

**motor**

engine (admitted term)

DEPRECATED: drive

machine that turns energy into motion
""",
        [
            ("boundary", "Geometric"),
            ("data set", "collection of"),
            ("exorheic", "Draining"),
            ("pump", "moves fluid"),
            ("motor", "turns energy"),
        ],
    ),
    "company policy": (
        "policy-terms.md",
        """\
# Information Policy

## 1 Scope

This policy binds all staff.

**Abbreviations**

| SLA | service level agreement |
|---|---|
| RPO | recovery point objective |

Glossary

- RAM – random access memory

## 2 Definitions

Asset: anything of value.
Threat: a potential cause of harm.

1. **Asset owner** — the person accountable.

"Sensitive Data" of the company means data that needs protection.

"Staff" includes contractors.

## 3 Acronyms

MFA = Multi-Factor Authentication
SSO = Single Sign-On

mTLS mutual TLS

A *peer* is one end of a connection.

## 4 Names

This process is sometimes called "hosting". Under this chapter "it" is used.
""",
        [
            ("SLA", "service level"),
            ("RPO", "recovery point"),
            ("RAM", "random access"),
            ("Asset", "anything of"),
            ("Threat", "a potential"),
            ("Asset owner", "the person"),
            ("Sensitive Data", "needs protection"),
            ("Staff", "includes contractors"),
            ("MFA", "Multi-Factor"),
            ("SSO", "Single Sign"),
            ("mTLS", "mutual TLS"),
            ("peer", "one end"),
        ],
    ),
    "what is no entry": (
        "neg.md",
        """\
# 3 Terms and definitions

The terms of this clause are sorted by their letters. The list is complete.

**Important** readers are asked to look at clause 5.

*Note*. The words below are those of the trade.

Words in bold are terms. All of them are used.

## 3.1 Terms

**gate** part of a fence that opens

**The gate** shall be locked at night.

# 4 Use

**Gate** the fence before the cattle come. A gate is a good thing.

By "rule of thumb" he was guided. We use *gates* as doors.

Note that this means the gate stays shut.

See 5.1.
""",
        [("gate", "part of a fence")],
    ),
    "a clause about glossaries": (
        "rules.md",
        """\
# 16 Terms and definitions

## 16.1 Purpose

The clause on terms shall define what is not known.

## 16.2 gate

part of a fence
""",
        [("gate", "part of a fence")],
    ),
}
"""File name, text and entries by the kind of document."""


@pytest.mark.parametrize("layout", LAYOUTS)
def test_the_definitions_of_a_layout(layout: str) -> None:
    name, text, entries = LAYOUTS[layout]
    row = detect(name, text.encode())
    assert row is not None
    document = read_document(row, Blob(name, text.encode()), ReadOptions(), Call())
    chunks = POLICY.cut(document, WordPiece(), Call())
    definitions = [definition_text(chunk) for chunk in chunks if chunk.tags.chunk_type == "definition"]
    by_term: dict[str, str] = {}
    for definition in definitions:
        for term in headwords(definition)[0]:
            by_term[term] = by_term.get(term, "") + definition
    assert {term: words in by_term.get(term, "") for term, words in entries} == {term: True for term, _ in entries}
    assert [text for text in definitions if not any(words in text for _, words in entries)] == []
