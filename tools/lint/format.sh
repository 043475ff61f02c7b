#!/usr/bin/env bash
# Checks that the C++ files are formatted as .clang-format says.
# usage: format.sh [--fix] [FILE...]     --fix formats them; without files all are meant
set -euo pipefail

fix=false
if [[ ${1:-} == --fix ]]; then
  fix=true
  shift
fi

files=("$@")
if ((${#files[@]} == 0)); then
  cd "$(dirname "${BASH_SOURCE[0]}")/../.."
  while IFS= read -r -d '' file; do
    if [[ -f $file ]]; then files+=("$file"); fi # a deleted file may still be tracked
  done < <(git ls-files -z --cached --others --exclude-standard -- \
    {src,test,bench,tools}/'*.h' {src,test,bench,tools}/'*.cpp')
fi
((${#files[@]} == 0)) && exit 0

if $fix; then
  exec clang-format-19 -i "${files[@]}"
fi
if ! complaints="$(clang-format-19 --dry-run -Werror "${files[@]}" 2>&1)"; then
  # The first place of each file is enough.
  awk -F: '/: error: / { if (!seen[$1]++) print $1 ":" $2 ": not as clang-format would write it" ; next }
           /: (fatal|warning)|^error|^No such/ { print }' <<<"$complaints"
  echo "format.sh: tools/lint/format.sh --fix FILE... repairs this"
  exit 1
fi
