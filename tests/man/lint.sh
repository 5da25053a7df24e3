#!/bin/sh
# lint.sh MANDOC GROFF FOLDER: neither formatter has anything to say about the pages, and both show
# their sections. That there is no date is meant: a page does not change with the day.
set -eu
mandoc=$1 groff=$2
cd "$3"
failed=0
for page in *.[13]; do
  {
    "$mandoc" -T lint -W warning "$page" || true
    "$groff" -man -T ascii -ww -z "$page"
  } 2>&1 | grep -v ': missing date, using ""' && failed=1
  sections="NAME SYNOPSIS DESCRIPTION SEE"
  case $page in
    *.1) sections="$sections EXIT ENVIRONMENT" ;;
  esac
  "$mandoc" -T ascii "$page" | sed 's/.\x08//g' >"${TMPDIR:-/tmp}/mtlcap-page.$$"
  "$groff" -man -T ascii -P -c "$page" | sed 's/.\x08//g' >>"${TMPDIR:-/tmp}/mtlcap-page.$$"
  for section in $sections; do
    if [ "$(grep -c "^$section" "${TMPDIR:-/tmp}/mtlcap-page.$$")" != 2 ]; then
      echo "$page: no section $section"
      failed=1
    fi
  done
  rm "${TMPDIR:-/tmp}/mtlcap-page.$$"
done
exit $failed
