import { execFileSync } from 'node:child_process';
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { withClient } from '../speed/databases.mjs';
import { freePort } from './ports.mjs';

const VERSIONS = '/usr/lib/postgresql';

/** Debian's newest, else what the PATH has. */
function binaries() {
  const versions = existsSync(VERSIONS) ? readdirSync(VERSIONS).map(Number) : [];
  if (versions.length > 0) return join(VERSIONS, String(Math.max(...versions)), 'bin');
  return execFileSync('pg_config', ['--bindir']).toString().trim();
}

/** PostgreSQL refuses to be root. */
function serverUser() {
  if (process.getuid() !== 0) return {};
  const idOf = (option) => Number(execFileSync('id', [option, 'postgres']).toString());
  return { uid: idOf('-u'), gid: idOf('-g') };
}

/** A PostgreSQL of its own in a temporary directory, which can be stopped, killed and started again. */
export class Cluster {
  static async create() {
    const cluster = new Cluster();
    cluster.port = await freePort();
    cluster.bin = binaries();
    cluster.user = serverUser();
    cluster.home = mkdtempSync(join(tmpdir(), 'formula-faults-'));
    if (cluster.user.uid) chownSync(cluster.home, cluster.user.uid, cluster.user.gid);
    cluster.data = join(cluster.home, 'data');
    cluster.run('initdb', '-D', cluster.data, '-U', 'postgres', '-A', 'trust', '-E', 'UTF8', '--no-sync');
    cluster.start();
    return cluster;
  }

  run(program, ...options) {
    execFileSync(join(this.bin, program), options, { cwd: this.home, stdio: 'ignore', ...this.user });
  }

  /** Resolves when it takes connections. */
  start() {
    const settings =
      `-p ${this.port} -c listen_addresses=127.0.0.1 -c unix_socket_directories= ` +
      '-c fsync=off -c max_connections=200';
    this.run('pg_ctl', '-D', this.data, '-l', join(this.home, 'log'), '-w', '-o', settings, 'start');
  }

  url(database = 'postgres', user = 'postgres') {
    return `postgres://${user}@127.0.0.1:${this.port}/${database}`;
  }

  /** As whoever may do anything. */
  query(text, database = 'postgres') {
    return withClient(this.url(database), (client) => client.query(text));
  }

  /** A new, empty database. @returns its name */
  async createDatabase() {
    const name = `faults_${Date.now().toString(36)}`;
    await this.query(
      `CREATE DATABASE ${name} ENCODING 'UTF8' LC_CTYPE 'C.UTF-8' LC_COLLATE 'C' TEMPLATE template0`,
    );
    return name;
  }

  /** A signal to the server's process and all that it has started, which have groups of their own (Linux). */
  signal(name) {
    const [first] = readFileSync(join(this.data, 'postmaster.pid'), 'utf8').split('\n');
    const isChild = (pid) => {
      try {
        return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1].split(' ')[1] === first;
      } catch {
        return false;
      }
    };
    const children = readdirSync('/proc').filter((pid) => /^\d+$/.test(pid) && isChild(pid));
    for (const pid of [first, ...children]) {
      try {
        process.kill(Number(pid), name);
      } catch {
        // It has ended meanwhile.
      }
    }
  }

  remove() {
    this.signal('SIGKILL');
    rmSync(this.home, { recursive: true, force: true, maxRetries: 10 });
  }
}
