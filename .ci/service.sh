# Starts the service as its users do, and asks it with curl.

service=''

# start_service LOG COMMAND...: in the background, in a process group of its own (npm starts others)
start_service() {
  local log=$1
  shift
  set -m
  "$@" >"$log" 2>&1 &
  service=$!
  set +m
}

# stop_service: as Ctrl-C does; succeeds when everything it started is gone
stop_service() {
  [ -n "$service" ] || return 0
  kill -INT -- "-$service" 2>/dev/null
  local tries=0
  while kill -0 -- "-$service" 2>/dev/null; do
    tries=$((tries + 1))
    if [ "$tries" -gt 150 ]; then
      echo 'The service did not stop'
      kill -KILL -- "-$service" 2>/dev/null
      service=''
      return 1
    fi
    sleep 0.2
  done
  service=''
}

# await_health URL: up to two minutes, and no longer than the service runs
await_health() {
  local tries=0
  until curl -sf -o /dev/null "$1/health"; do
    tries=$((tries + 1))
    if [ "$tries" -gt 600 ] || ! kill -0 "$service" 2>/dev/null; then return 1; fi
    sleep 0.2
  done
}

# The commands between the README's tour marks, on an empty data directory, with the answers they must give.
readme_tour() {
  local port base status=0
  port=$(free_port)
  base="http://localhost:$port/api"
  sed -n '/<!-- tour -->/,/<!-- end of tour -->/p' README.md | sed -n '/^```bash/,/^```/p' | grep -v '^```' |
    sed "s#http://localhost:3001/api#$base#" >"$work/tour.sh"
  [ -s "$work/tour.sh" ] || { echo 'README.md has no tour'; return 1; }
  start_service "$work/service.log" env PORT="$port" DATA_DIR="$work/tour-data" npm start
  if await_health "$base"; then
    bash -euo pipefail "$work/tour.sh" >"$work/tour.out" 2>&1 || status=1
    cat "$work/tour.out"
    local expected
    for expected in '"status":"ok"' '"role":"engineer"' '"currentVersion":1' '"currentVersion":2' '"total":1' '"usageCount":2' \
      '"statusCode":409' '该成分已被配方引用,无法删除'; do
      grep -qF -- "$expected" "$work/tour.out" || { echo "The tour's answers lack $expected"; status=1; }
    done
    [ "$(curl -s -o /dev/null -w '%{http_code}' "$base/formulas")" = 401 ] || { echo 'No 401 without a token'; status=1; }
    [ "$(curl -s -o /dev/null -w '%{http_code}' "$base/docs")" = 200 ] || { echo 'No API page'; status=1; }
  else
    echo 'The service did not come up'
    status=1
  fi
  stop_service || status=1
  cat "$work/service.log"
  return "$status"
}

# The steps of docker/Dockerfile by hand: only what the image holds, production dependencies only.
production_install() {
  local image="$work/image" port status=0
  port=$(free_port)
  mkdir "$image" && cp -r package.json package-lock.json .npmrc dist "$image/" || return 1
  (cd "$image" && npm ci --omit=dev --ignore-scripts) || return 1
  (
    cd "$image" || exit 1
    export NODE_ENV=production DATA_DIR="$work/image-data" PORT="$port"
    # Production never runs with the secret everybody knows.
    if JWT_SECRET=formula-development-secret node dist/main.js; then
      echo 'Started with the development secret'
      exit 1
    fi
  ) || return 1
  start_service "$work/image.log" env NODE_ENV=production DATA_DIR="$work/image-data" PORT="$port" \
    sh -c 'cd "$1" && exec node dist/main.js' sh "$image"
  await_health "http://localhost:$port/api" || { echo 'The service did not come up'; status=1; }
  PORT="$port" node docker/healthcheck.mjs || { echo 'The health check fails'; status=1; }
  stop_service || status=1
  cat "$work/image.log"
  return "$status"
}

on_server() {
  node -e '
    const { Client } = require("pg");
    const client = new Client(process.argv[1]);
    client.connect().then(() => client.query(process.argv[2])).then(() => client.end())
      .catch((error) => { console.error(String(error)); process.exit(1); });
  ' "$TEST_DATABASE_URL" "$1"
}

# Node.js may stand elsewhere here than where the unit expects it.
unit_is_valid() {
  mkdir -p "$work/unit" && sed "s#/usr/bin/node#$(command -v node)#" docker/formula-service.service >"$work/unit/formula-service.service" &&
    systemd-analyze verify "$work/unit/formula-service.service"
}
