"""The program `date` of a command line, which tells the world's clock and not the machine's."""

from datetime import datetime

_SCRIPT = r"""#!/bin/bash
real=$(PATH=/usr/bin:/bin type -P date) now=@NOW@ given='' options=() has_text=''
for argument; do
  if [[ $has_text == next ]]; then given=$argument has_text=yes; continue; fi
  case $argument in
    -d | --date | -[uR]d) has_text=next; [[ $argument == -u* ]] && options+=(-u) ;;
    -d?*) given=${argument#-d} has_text=yes ;;
    --date=*) given=${argument#*=} has_text=yes ;;
    -f* | --file* | -r* | --reference* | --help | --version) exec "$real" "$@" ;;
    *) options+=("$argument") ;;
  esac
done
[[ $has_text ]] || exec "$real" -d "@$now" "${options[@]}"
today=$("$real" -d "@$now" +%F) clock=$("$real" -u -d "@$now" '+%F %T UTC') weekday=''
[[ $given ]] || clock=''
declare -A numbers=([sun]=0 [sunday]=0 [mon]=1 [monday]=1 [tue]=2 [tues]=2 [tuesday]=2 [wed]=3 [wednesday]=3
  [thu]=4 [thur]=4 [thurs]=4 [thursday]=4 [fri]=5 [friday]=5 [sat]=6 [saturday]=6)
read -ra words <<< "${given,,}"
rest=() before=''
for word in "${words[@]}"; do
  number=${numbers[${word%,}]}
  if [[ $number ]]; then
    [[ ${#rest[@]} -gt 0 && ${rest[-1]} =~ ^(next|last|this)$ ]] && before=${rest[-1]} && unset 'rest[-1]'
    weekday=$(((number - $("$real" -d "@$now" +%w) + 7) % 7))
    [[ $before == next && $weekday == 0 ]] && weekday=7
    [[ $before == last ]] && weekday=$((weekday - 7))
  else
    rest+=("$word")
  fi
done
dated='[0-9]{4}|/|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec'
if [[ $weekday ]]; then # beside a date GNU date leaves weekdays out
  given="${rest[*]}"
  [[ $given =~ $dated ]] || given+=" $weekday days" clock=''
fi
tries=(${clock:+"$clock $given"} "$today $given")
if [[ $given =~ [0-9]{4}|@ ]]; then tries+=("$given"); else tries+=("$given ${today%%-*}"); fi
for text in "${tries[@]}"; do
  "$real" -d "$text" > /dev/null 2>&1 && exec "$real" -d "$text" "${options[@]}"
done
echo "date: invalid date '$given'; give one such as 2026-03-16 10:00, or 2 days ago" >&2
exit 1
"""


def write_date_script(now: datetime) -> str:
    """The program, for bash and GNU date.

    Text after ``-d`` that names no year is read as relative to `now`: as a time, a day, or a weekday.
    """
    return _SCRIPT.replace("@NOW@", f"@{int(now.timestamp())}".removeprefix("@"))
