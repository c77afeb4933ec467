# Runs gates one after the other or side by side, keeps count, goes on after a failure.

passed=0 failed=0 skipped=0
failures=()
last_gate=0

last_gate_passed() { [ "$last_gate" -eq 0 ]; }

# announce NAME / report NAME SECONDS
announce() { printf '\n=== %s\n' "$1"; }

# show_end LOG: the end of a log that explains a failure
show_end() { tail -n 300 "$1" | sed 's/^/    /'; }

# gate NAME COMMAND...: one check; its output is shown when it fails
gate() {
  local name=$1 log="$work/gate.log" begun=$SECONDS
  shift
  announce "$name"
  "$@" >"$log" 2>&1
  last_gate=$?
  if last_gate_passed; then
    passed=$((passed + 1))
    echo "    passed ($((SECONDS - begun)) s)"
  else
    failed=$((failed + 1))
    failures+=("$name")
    show_end "$log"
    echo "    FAILED ($((SECONDS - begun)) s)"
  fi
}

# counting_gate NAME COMMAND...: a gate whose last line says how much was tried
counting_gate() {
  gate "$@"
  if last_gate_passed; then echo "    $(tail -n 1 "$work/gate.log")"; fi
}

# skip REASON: counted, and said why
skip() {
  announce "$1"
  skipped=$((skipped + 1))
  echo '    skipped'
}

# missing NAME: could not be run because of an earlier failure
missing() {
  announce "$1"
  failed=$((failed + 1))
  failures+=("$1")
  echo '    FAILED (could not be run)'
}

# more_than_cores: half as many again, and at most four more: each file opens connections to the test server
more_than_cores() { node -p 'const cores = os.availableParallelism(); Math.min(Math.ceil(cores * 1.5), cores + 4)'; }

# tests NAME COMMAND...: a jest command; every test counts, and every file that could not be run. $test_workers is how
# many files run at once (a percentage of more than 100 would be a number to jest); absent: one for each core
tests() {
  local name=$1 log="$work/tests.log" json="$work/tests.json" begun=$SECONDS status counted
  shift
  announce "$name"
  rm -f "$json"
  "$@" --json --outputFile="$json" --maxWorkers="${test_workers:-100%}" >"$log" 2>&1
  status=$?
  counted=$(node -e '
    const r = JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"));
    console.log(r.numPassedTests, r.numFailedTests + r.numRuntimeErrorTestSuites, r.numPendingTests + r.numTodoTests);
  ' "$json" 2>/dev/null) || counted='0 1 0'
  read -r p f s <<<"$counted"
  # A run may fail without a failed test (a leak, a crash): it must not look green.
  if [ "$status" -ne 0 ] && [ "$f" -eq 0 ]; then f=1; fi
  passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
  if [ "$f" -eq 0 ]; then
    echo "    $p passed, $s skipped ($((SECONDS - begun)) s)"
  else
    failures+=("$name")
    grep -vE '^\s*(at |✓)' "$log" | tail -n 300 | sed 's/^/    /'
    echo "    FAILED: $p passed, $f failed, $s skipped ($((SECONDS - begun)) s)"
  fi
}

declare -A beside

# alongside NAME FUNCTION: runs gates in the background, with a count and a directory of their own; `join NAME` adds them
alongside() {
  local directory="$work/$1"
  mkdir "$directory"
  (
    work=$directory passed=0 failed=0 skipped=0 failures=() service=''
    trap stop_service EXIT
    trap 'exit 130' INT TERM
    "$2"
    { echo "$passed $failed $skipped"; if [ "$failed" -gt 0 ]; then printf '%s\n' "${failures[@]}"; fi; } >"$work/counts"
  ) >"$directory/output" 2>&1 &
  beside[$1]=$!
}

# join NAME...: waits for them, shows what they said, adds their counts; one that did not come to its end is a failure
join() {
  local name p f s names
  for name in "$@"; do
    wait "${beside[$name]}"
    cat "$work/$name/output"
    p=0 f=1 s=0 names=("$name (did not come to its end)")
    if [ -e "$work/$name/counts" ]; then { read -r p f s; mapfile -t names; } <"$work/$name/counts"; fi
    passed=$((passed + p)) failed=$((failed + f)) skipped=$((skipped + s))
    failures+=("${names[@]}")
  done
}

# summary: what failed, and the count as the last line; the exit code says the same
summary() {
  echo
  if [ ${#failures[@]} -gt 0 ]; then printf 'Failed: %s\n' "${failures[@]}"; fi
  echo "$passed passed, $failed failed, $skipped skipped"
  [ "$failed" -eq 0 ]
}
