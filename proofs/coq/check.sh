#!/bin/sh
# Checks the compiled development: no proof is left open, and the kernel names no axiom but those listed here.
#
# Usage: check.sh            the whole development, and that every file of dirty/ is refused
#        check.sh FILE.v...  these files only (compiled; paths below this folder)
#
# The axioms permitted, all of them of the standard library's real numbers:
#   ClassicalDedekindReals.sig_forall_dec   real numbers are compared by a decision of countable statements
#   ClassicalDedekindReals.sig_not_dec      the same for negated statements; the order of the reals needs it
#   FunctionalExtensionality.functional_extensionality_dep   real numbers are functions, equal when their values are
# and in files that speak of logarithms also
#   Classical_Prop.classic                  the library constructs ln by the intermediate value theorem
set -eu
cd "$(dirname "$0")"
COQC=${COQC:-coqc}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

always='ClassicalDedekindReals.sig_forall_dec ClassicalDedekindReals.sig_not_dec
FunctionalExtensionality.functional_extensionality_dep'
logarithms='Classical_Prop.classic'
forbidden='Admitted|admit|Axioms?|Parameters?|Conjecture|Hypothesis|Hypotheses|Variables?|Context|Unset|bypass_check|give_up|Declare|Abort'

# The names of the theorems of a file.
theorems() {
    sed -n -E 's/^ *(Theorem|Lemma|Corollary|Fact|Remark|Proposition) +([A-Za-z0-9_'"'"']+).*/\2/p' "$1"
}

# A word that would leave something unproved, outside comments.
words() {
    awk -v bad="(^|[^A-Za-z0-9_'])($forbidden)([^A-Za-z0-9_']|\$)" '
        { line = $0; text = ""
          while (length(line)) {
              if (depth == 0) { at = index(line, "(*")
                  if (at == 0) { text = text line; line = "" }
                  else { text = text substr(line, 1, at - 1); line = substr(line, at + 2); depth = 1 } }
              else { o = index(line, "(*"); c = index(line, "*)")
                  if (o && (!c || o < c)) { depth++; line = substr(line, o + 2) }
                  else if (c) { depth--; line = substr(line, c + 2) }
                  else line = "" } }
          if (text ~ bad) { print FILENAME ":" FNR ": " $0; found = 1 } }
        END { exit !found }' "$1"
}

# The axioms on which the theorems of the files rest, all theorems of a file together; fails on one that is not permitted.
axioms() {
    rm -f "$work"/print.*
    for file in "$@"; do
        module=HardAttention.$(echo "${file%.v}" | tr / .)
        names=$(theorems "$file")
        [ -n "$names" ] || continue
        if grep -qw ln "$file"; then with=logarithms; else with=reals; fi
        echo "Require $module." >> "$work/print.requires"
        k=$((${k:-0} + 1))
        { echo "Definition mark$k : True. idtac \"@ $file $with\". exact I. Defined."
          echo "Definition all$k := ($(for name in $names; do printf '@%s, ' "$module.$name"; done)I)."
          echo "Print Assumptions all$k."; } >> "$work/print.asks"
    done
    [ -e "$work/print.asks" ] || return 0
    cat "$work/print.requires" "$work/print.asks" > "$work/print.v"
    $COQC -q -R . HardAttention "$work/print.v" > "$work/out" || return 1
    awk -v always="$(echo $always)" -v logarithms="$logarithms" '
        function permit(names,   k, list, x) { k = split(names, list); for (x = 1; x <= k; x++) ok[list[x]] = 1 }
        /^@ / { if (asked) { print file ": no answer"; bad = 1 }
                file = $2; asked = 1; split("", ok); permit(always)
                if ($3 == "logarithms") permit(logarithms)
                next }
        /^(Closed under the global context|Axioms:)/ { asked = 0; next }
        /^[^ ]/ { if (!($1 in ok)) { print file ": rests on " $0; bad = 1 } }
        END { if (asked) { print file ": no answer"; bad = 1 } exit bad }
    ' "$work/out"
}

status=0
if [ $# -gt 0 ]; then
    for file in "$@"; do if words "$file"; then status=1; fi; done
    axioms "$@" || status=1
    exit $status
fi

total=0
for file in *.v constructions/*.v composition/*.v; do
    if words "$file"; then status=1; fi
    total=$((total + $(theorems "$file" | wc -l)))
done
axioms *.v constructions/*.v composition/*.v || status=1

for file in dirty/*.v; do
    $COQC -q -R . HardAttention "$file" || { echo "a dirty file must compile: $file"; status=1; }
done
if axioms dirty/Unproved.v > "$work/said"; then echo "NOT NOTICED by the kernel: dirty/Unproved.v"; status=1; fi
if axioms dirty/Assumed.v > "$work/said"; then echo "NOT NOTICED by the kernel: dirty/Assumed.v"; status=1; fi
if axioms dirty/Borrowed.v > "$work/said"; then echo "NOT NOTICED by the kernel: dirty/Borrowed.v"; status=1; fi
if ! words dirty/Unproved.v > "$work/said"; then echo "NOT NOTICED by its words: dirty/Unproved.v"; status=1; fi
if ! words dirty/Assumed.v > "$work/said"; then echo "NOT NOTICED by its words: dirty/Assumed.v"; status=1; fi

[ $status -eq 0 ] && echo "$total theorems rest on the permitted axioms alone; every dirty file was noticed."
exit $status
