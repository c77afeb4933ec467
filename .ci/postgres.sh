# A private PostgreSQL cluster in a temporary directory, unless TEST_DATABASE_URL names a server.

TEST_DATABASE_URL=${TEST_DATABASE_URL:-}
cluster=''
postgres_bin=''

# postgres_binaries: the directory of a PostgreSQL 15 or later that has the contrib extensions we need
postgres_binaries() {
  local directory major share
  for directory in $(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | sort -t/ -k5 -rn) \
    "$(dirname "$(readlink -f "$(command -v initdb || echo /none/initdb)")")" \
    /usr/local/pgsql/bin /opt/homebrew/opt/postgresql*/bin; do
    [ -x "$directory/initdb" ] && [ -x "$directory/pg_ctl" ] || continue
    major=$("$directory/postgres" --version | grep -oE '[0-9]+' | head -1)
    [ "${major:-0}" -ge 15 ] || continue
    echo "$directory"
    return 0
  done
  return 1
}

# as_server COMMAND...: PostgreSQL refuses to run as root
as_server() {
  if [ "$(id -u)" -ne 0 ]; then "$@"; else setpriv --reuid="$server_user" --regid="$(id -g "$server_user")" --clear-groups "$@"; fi
}

free_port() {
  node -e 'const s = require("net").createServer().listen(0, "127.0.0.1", () => { console.log(s.address().port); s.close(); })'
}

start_postgres() {
  if [ -n "$TEST_DATABASE_URL" ]; then
    echo 'Using the server of TEST_DATABASE_URL'
    can_connect
    return
  fi
  postgres_bin=$(postgres_binaries) || { install_packages postgresql && postgres_bin=$(postgres_binaries); } || return 1
  server_user=$(id -un postgres 2>/dev/null || echo nobody)
  cluster="$work/postgres"
  mkdir "$cluster"
  [ "$(id -u)" -ne 0 ] || chown "$server_user" "$cluster"
  local port
  port=$(free_port)
  # Not durable: nothing here outlives the run, and the durability tests are about the embedded database.
  (
    cd "$cluster" &&
      as_server "$postgres_bin/initdb" -D "$cluster/data" -U postgres -A trust -E UTF8 --locale=C --no-sync &&
      as_server "$postgres_bin/pg_ctl" -D "$cluster/data" -l "$cluster/log" -w -o \
        "-p $port -c listen_addresses=127.0.0.1 -c unix_socket_directories='$cluster' -c max_connections=300 \
         -c fsync=off -c synchronous_commit=off -c full_page_writes=off" start
  ) || { cat "$cluster/log" 2>/dev/null; return 1; }
  TEST_DATABASE_URL="postgres://postgres@127.0.0.1:$port/postgres"
  can_connect
}

can_connect() {
  TEST_DATABASE_URL="$TEST_DATABASE_URL" node -e '
    const { Client } = require("pg");
    const client = new Client(process.env.TEST_DATABASE_URL);
    client.connect().then(() => client.query("SELECT version()")).then(({ rows }) => {
      console.log(rows[0].version);
      return client.end();
    }).catch((error) => { console.error(String(error)); process.exit(1); });
  '
}

stop_postgres() {
  [ -n "$cluster" ] && [ -d "$cluster/data" ] || return 0
  (cd "$cluster" && as_server "$postgres_bin/pg_ctl" -D "$cluster/data" -m immediate -w stop) >/dev/null 2>&1
  cluster=''
}
