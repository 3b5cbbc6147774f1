# Steps of .ci/run: `alone NAME COMMAND...` runs one at once; `beside NAME COMMAND...` adds one to those that `together`
# runs two at a time, in this order. After a step that failed no other one starts; its output comes last.
# At the end, also after a failure, a table has each step's minutes, the processor time of its programs, and the share
# of the machine's processors that all programs used meanwhile.
logs=$(mktemp -d)
names=() commands=() begins=() idles=() rows=() failed=()
declare -A running=()

# Hundredths of a second that the machine's processors were idle, all together.
idle() { awk '$1 == "cpu" { print $5 + $6 }' /proc/stat; }

row() { # seconds, idle hundredths, seconds of processor time, name
  awk -v s="$1" -v i="$2" -v c="$3" -v n="$(nproc)" -v name="$4" \
    'BEGIN { printf "%8.1f %9.1f %5.0f%%  %s\n", s / 60, c / 60, s ? 100 - i / n / s : 0, name }'
}

# Seconds of processor time, of the output of `times` in these files.
processor() { awk -F '[ms ]+' '{ seconds += 60 * $1 + $2 + 60 * $3 + $4 } END { print seconds + 0 }' "$@"; }

# Adds the row of a step that ended.
ended() { # index
  rows+=("$(row "$((SECONDS - begins[$1]))" "$(($(idle) - idles[$1]))" "$(processor "$logs/$1.cpu")" "${names[$1]}")")
}

# The output of steps that failed, and the table. Ends what still runs.
report() {
  local status=$? index pid
  set +e
  for pid in "${!running[@]}"; do
    kill -- "-$pid"
    wait "$pid"
    ended "${running[$pid]}"
  done
  for index in "${failed[@]}"; do
    printf '\n== FAILED: %s\n' "${names[$index]}"
    cat "$logs/$index.log"
  done
  printf '\n%8s %9s %6s  %s\n' minutes processor busy step
  printf '%s\n' "${rows[@]}"
  row "$SECONDS" "$(($(idle) - first_idle))" "$(processor "$logs"/*.cpu)" total
  for index in "${failed[@]}"; do printf 'FAILED: %s\n' "${names[$index]}"; done
  rm -rf "$logs"
  exit "$status"
}
first_idle=$(idle)
trap report EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

# Adds a step, and leaves its index in `added`.
add() { # name, command...
  added=${#names[@]}
  names+=("$1")
  shift
  commands+=("$(printf '%q ' "$@")")
}

# Starts a step as a group of processes of its own.
begin() { # index
  begins[$1]=$SECONDS idles[$1]=$(idle)
  set -m
  (
    trap - INT TERM
    trap "times >'$logs/$1.cpu'" EXIT
    (eval "${commands[$1]}")
  ) </dev/null 2>&1 &
  set +m
  running[$!]=$1
}

# Waits for a step to end. Leaves its index in `over`, and returns its status.
next() {
  local pid status=0
  # `wait -n` misses a step that ended before it.
  while :; do
    for pid in "${!running[@]}"; do kill -0 "$pid" 2>/dev/null || break 2; done
    sleep 0.2
  done
  wait "$pid" || status=$?
  over=${running[$pid]}
  unset "running[$pid]"
  ended "$over"
  return "$status"
}

alone() {
  printf '\n== %s (%d s)\n' "$1" "$SECONDS"
  add "$@"
  begin "$added"
  next
}

waiting=()
beside() {
  add "$@"
  waiting+=("$added")
}

together() {
  local status=0
  while [ ${#running[@]} -gt 0 ] || { [ ${#waiting[@]} -gt 0 ] && [ "$status" = 0 ]; }; do
    if [ ${#running[@]} -lt 2 ] && [ ${#waiting[@]} -gt 0 ] && [ "$status" = 0 ]; then
      printf '\n== %s: begins (%d s)\n' "${names[${waiting[0]}]}" "$SECONDS"
      begin "${waiting[0]}" >"$logs/${waiting[0]}.log"
      waiting=("${waiting[@]:1}")
      continue
    fi
    if next; then
      printf '\n== %s: ended (%d s)\n' "${names[$over]}" "$SECONDS"
      cat "$logs/$over.log"
    else
      status=1
      failed+=("$over")
      printf '\n== %s: FAILED (%d s)\n' "${names[$over]}" "$SECONDS"
    fi
  done
  return "$status"
}
