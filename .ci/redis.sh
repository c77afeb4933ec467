# Redis is tested with servers of the tests' own, one by TLS: where it is missing, its tests fail in CI.
install_redis() {
  local sudo=''
  command -v redis-server >/dev/null && command -v openssl >/dev/null && return 0
  [ "$(id -u)" -eq 0 ] || sudo='sudo -n'
  command -v apt-get >/dev/null || { echo 'No Redis here, and no apt-get to install it with.'; return 1; }
  # Without the service that its package would start.
  $sudo apt-get update && $sudo env DEBIAN_FRONTEND=noninteractive RUNLEVEL=1 \
    apt-get install -y --no-install-recommends redis-server openssl
}
