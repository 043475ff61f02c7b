"""Results that no component would have: names made to break out of whatever they are written into."""

import json

NAMES = [
    "<script>alert(1)</script>", "</script><script>window.broken=1</script>", "\"quoted\" 'and' `so`",
    "<img src=x onerror=alert(1)>", "a&lt;b&amp;", "back\\slash\\n", "two\nlines", "tab\there", "--><!--", "]]>",
    "%date()", "!include x", "@enduml", "end", "note", "style", "constructor", "__proto__", "toString", "a|b",
    "write(byte[],int,int)", "io::read", "[*]", "{{x}}", "#35;", "%%{init: {}}%%", "classDef a fill:#fff;",
    "\u202eright to left", "émoji 🙂", ";", "x" * 10_000,
]


def result(states=12, names=None):
    """A ring of states; every call is allowed somewhere and refused somewhere."""
    names = names or NAMES
    calls = len(names)
    allows = [[n for i, n in enumerate(names) if (i + q) % 3] for q in range(states)]
    transitions, forbidden = [], []
    order = sorted(range(calls), key=lambda i: names[i].encode())
    for q in range(states):
        for i in order:
            name = names[i]
            if (i + q) % 3:
                for outcome, to in ((f"returns={name[:50]}", (q + 1) % states), ("throws=<b>", q)):
                    transitions.append({
                        "from": q, "call": name, "outcome": outcome, "to": to,
                        "example": {"before": {"__proto__": "<i>", name[:40]: "0"},
                                    "steps": [{"call": name, "inputs": ["</script>"], "outcome": outcome,
                                               "after": {"__proto__": "<u>", name[:40]: "1"}}]}})
            else:
                forbidden.append({"state": q, "call": name, "error": "<svg onload=alert(1)>",
                                  "at": "/etc/passwd:1", "word": [name], "run": {
                                      "constructor": "new<script>", "steps": [
                                          {"call": name, "inputs": [], "outcome": ""}]}})
    # Transitions of one call are sorted by outcome.
    transitions.sort(key=lambda t: (t["from"], t["call"].encode(), t["outcome"].encode()))
    return {
        "tacit": 1, "kind": "interface",
        "component": {"name": "</title><script>alert(2)</script>", "language": "tir", "sources": ["</pre>.tir"],
                      "tir": "component X // </pre></script><script>window.broken=1</script>\n", "options": {}},
        "engine": "<b>", "errors": ["<error>"], "methods": names,
        "outcomes": {n: [f"returns={n[:50]}", "throws=<b>"] for n in names},
        "constructors": ["new<script>", "other\"'"],
        "initial": [{"constructor": "new<script>", "state": 0}, {"constructor": "other\"'", "state": 1}],
        "states": [{"id": q, "allows": allows[q], "label": f"<b>\"label\" & {q}</b> \\N" + ("y" * 3000 if q == 1 else "")}
                   for q in range(states)],
        "transitions": transitions, "forbidden": forbidden,
        "verdict": {"safe": "unknown", "permissive": "bounded", "full": "refuted", "minimal": False,
                    "details": {"safe": "<script>alert(3)</script>"}, "assumptions": ["<script>alert(4)</script>"] * 3},
        "evidence": {}, "stats": {"<b>": 1, "seconds": 0.5, "queries": 1, "predicates": ["<p>"]}}


def write(path, **how):
    with open(path, "w", encoding="utf-8") as out:
        json.dump(result(**how), out)
