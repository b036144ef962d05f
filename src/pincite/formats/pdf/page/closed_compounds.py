"""English compounds without a hyphen that the tokenizer's vocabulary does not have whole: `endpoint`, `timestamp`."""

_WORDS = """
    allowlist armband backdoor backend backlight backlog backorder backpressure backslash backspace backtick
    backtrack backtracking barcode baseband benchmark bitmap bitrate bitstream bitwise blacklist blockchain
    blocklist blueprint boardroom bondholder bookcase bookkeeper bookkeeping bookmark bottleneck breakpoint bytecode
    callback cardholder caregiver carryover cashflow checkbox checklist checksum ciphertext clearinghouse cleartext
    clipboard codebase codebook codepage copayment counterclaim counterfeit countermeasure counterparty
    counterweight crossroad crosswalk cybersecurity cyberspace datacenter dataflow dataset datasheet denylist
    downtime drawback drywall earmark endnote endpoint extranet eyewitness fallback filename fingerprint fingertip
    firewall firmware floodplain footnote footstep frontend gatekeeper gigabyte guidebook guideline handout handover
    handshake hardcode hashmap hashtag headcount headnote headphone headquarter heatmap hereafter hereby herein
    heretofore hereunder hitherto homepage hostname hotline hotspot housekeeping inbound inflow insofar intranet
    keychain keyspace keystore keystroke keyword kilobyte lawmaker leaseholder leftover letterhead lifecycle
    livestream localhost lockout lockstep logbook loopback lowercase mailbox mailroom mainframe malware markdown
    markup megabyte microsecond microservice middleware millisecond motherboard multicast multilingual multithreaded
    multivariate namespace nanosecond newsroom offline oncoming opcode outbound outbox outflow overarching overflow
    overlying overweight overwrite pairwise passcode passphrase pathname paycheck paywall petabyte pitfall
    placeholder plaintext playlist policyholder policymaker policymaking postcode postmark proofread rainwater
    rangeland ransomware ratepayer recordkeeping repayment reseller roadblock roadmap rollback rollover rootstock
    runtime safekeeping sandbox scoreboard screenshot scrollbar seamless seawater shareware shortcoming shortfall
    shortlist showroom shutdown sidebar sidestep slipstream slowdown snapshot spearhead spreadsheet spyware
    stakeholder standpoint stateful stateless stockholder stormwater streamline subclass subdirectory subdomain
    subfolder subnet subprocess subroutine subsection substring subsystem subtask subtotal subtree subtype superset
    taskbar terabyte textbox therein thereunder throughput timekeeping timesheet timestamp timestep toolbar toolbox
    toolchain touchpad underflow underweight underwrite underwriter unicast upload uppercase uptime username
    viewport wallpaper watchdog watchlist watercraft waterline watermark waveform waypoint webcam webmaster webpage
    whiteboard whitelist whitespace wholesaler wildfire windfall wishlist workaround workbook workflow workload
    worksheet workspace workstation wristband zipcode
"""
CLOSED_COMPOUNDS = frozenset(_WORDS.split())
"""Words in lower case whose halves are words, too, so that nothing else tells that they are one."""
