# The package as a team gets it: its archive, installed away from this repository.

# publishable: what `npm publish` would say, but for the sign-in that a dry run does without, and the build, which is there
publishable() {
  npm publish --dry-run --ignore-scripts >"$work/publish.log" 2>&1
  local status=$? warnings
  warnings=$(grep -E '^npm (warn|error) ' "$work/publish.log" | grep -vE 'logged in|^npm warn (Unknown|config)')
  echo "$warnings"
  [ "$status" -eq 0 ] && [ -z "$warnings" ]
}

# pack_archive: makes $archive of the build that is there
pack_archive() {
  mkdir "$work/archive" && npm pack --ignore-scripts --pack-destination "$work/archive" || return 1
  archive=$(ls "$work"/archive/*.tgz) && node .ci/archive.mjs "$archive"
}

# empty_folder: the archive alone in a folder, with the newest versions of its peers
empty_folder() {
  local folder="$work/folder" port status=0
  port=$(free_port)
  mkdir "$folder" && cd "$folder" || return 1
  npm install --ignore-scripts "$archive" || status=1
  npx --no formula-service --help || status=1
  cat >named.mjs <<'EOF'
import { AppModule, startService } from 'formula-development-service';
import { runCli } from 'formula-development-service/cli';
for (const named of [AppModule, startService, runCli]) if (typeof named !== 'function') process.exit(1);
EOF
  node named.mjs || { echo 'ES modules do not get the exports by name'; status=1; }
  echo "const { AppModule } = require('formula-development-service'); exports.default = AppModule.register({});" >app.cjs
  start_service "$folder/service.log" env PORT="$port" DATA_DIR="$folder/data" npx --no formula-service start --app ./app.cjs
  await_health "http://localhost:$port/api" || { echo 'The service did not come up'; status=1; }
  stop_service || status=1
  cat service.log
  DATA_DIR="$folder/data" npx --no formula-service users list || status=1
  cd - >/dev/null && return "$status"
}

# ten_minutes: the steps of docs/extending.md from an empty directory, in their order, with the archive
ten_minutes() {
  local steps="$work/ten-minutes.sh" answers="$work/ten-minutes.out" status=0 expected
  node .ci/ten-minutes.mjs >"$steps" || return 1
  mkdir "$work/ten-minutes" || return 1
  SERVICE="$PWD/.ci/service.sh" PACKAGE=$archive PORT=$(free_port) \
    bash -c 'cd "$1" && exec bash "$2"' bash "$work/ten-minutes" "$steps" >"$answers" 2>&1 || status=1
  cat "$answers"
  for expected in '"statusCode":401' '"error":"grams: ' '{"data":{"name":"Toner","grams":25}}' '# pass 1'; do
    grep -qF -- "$expected" "$answers" || { echo "The answers lack $expected"; status=1; }
  done
  return "$status"
}

# example_project: examples/enterprise-extension with the archive, built, tested and started
example_project() {
  local copy="$work/example" port status=0
  port=$(free_port)
  mkdir "$copy" && git ls-files -z examples/enterprise-extension | xargs -0 cp --parents -t "$copy" || return 1
  cd "$copy/examples/enterprise-extension" || return 1
  { npm ci --ignore-scripts && npm install --no-save --ignore-scripts "$archive" && npm run build && npm test; } || status=1
  start_service service.log env PORT="$port" DATA_DIR="$copy/data" npm start
  await_health "http://localhost:$port/api" || { echo 'The service did not come up'; status=1; }
  curl -s "http://localhost:$port/api/health"
  stop_service || status=1
  cat service.log
  cd - >/dev/null && return "$status"
}

# package_gates: all of them, and what a user starts from this repository
package_gates() {
  gate 'the package can be published' publishable
  gate 'archive of the package' pack_archive
  if last_gate_passed; then
    gate 'the archive in an empty folder' empty_folder
    gate 'the ten minutes of docs/extending.md' ten_minutes
    gate 'the example project with the archive' example_project
  else
    missing 'the archive in an empty folder'
    missing 'the ten minutes of docs/extending.md'
    missing 'the example project with the archive'
  fi
  gate "the README's tour, on an empty directory" readme_tour
  gate 'production install as in docker/Dockerfile' production_install
  if command -v systemd-analyze >/dev/null; then
    gate 'the systemd unit' unit_is_valid
  else
    skip 'the systemd unit: systemd-analyze is not here'
  fi
}
