import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Decided by the image and the compose file itself. */
const NOT_PASSED = ['DATA_DIR', 'HOST', 'NODE_ENV', 'PORT'];

describe('docker/compose.yaml', () => {
  const compose = read('docker/compose.yaml');
  const [service = '', nginx = '', postgres = '', redis = ''] = compose
    .split(/^ {2}(?:service|nginx|postgres|redis):$/m)
    .slice(1);

  it('passes on every setting', () => {
    const settings = [...read('docs/OPERATIONS.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name!);
    const passed = [...service.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)];
    expect(passed.map(([, name]) => name).sort()).toEqual(
      settings.filter((name) => !NOT_PASSED.includes(name)).sort(),
    );
    expect(settings).toContain('JWT_SECRET');
    // Under its own name, or made of what has a name.
    const others = passed.filter(([, name, value]) => value !== `\${${name}:-}`).map(([, name]) => name);
    expect(others.sort()).toEqual(['DATABASE_URL', 'JWT_SECRET', 'REDIS_URL', 'STOP_DELAY', 'TRUST_PROXY']);
  });

  it('the service connects as a role that is no superuser', () => {
    expect(service).toMatch(/DATABASE_URL: postgres:\/\/formula:/);
    expect(postgres).not.toContain('POSTGRES_USER');
    expect(read('docker/create-role.sh')).toContain('CREATE ROLE formula LOGIN NOSUPERUSER ');
  });

  it('what clients reach has no way to the database and to Redis', () => {
    const networks = (section: string) => /^ {4}networks: \[(.*)\]$/m.exec(section)?.[1];
    expect([service, nginx, postgres, redis].map(networks)).toEqual(['front, back', 'front', 'back', 'back']);
    expect([service, postgres, redis].filter((section) => section.includes('\n    ports:'))).toEqual([]);
  });

  it('the database counts as there when it is there for others', () => {
    // On the socket one answers that only sets a new volume up.
    expect(postgres).toMatch(/'pg_isready', '-h', '127.0.0.1'/);
  });

  it.each([
    ['service', service],
    ['nginx', nginx],
    ['postgres', postgres],
    ['redis', redis],
  ])('%s has no more rights and memory than it needs', (_, section) => {
    for (const line of [
      'cap_drop: [ALL]',
      "security_opt: ['no-new-privileges:true']",
      'read_only: true',
      'mem_limit: ',
    ]) {
      expect(section).toContain(`\n    ${line}`);
    }
  });
});

describe('docker/Dockerfile', () => {
  const lines = read('docker/Dockerfile')
    .split('\n')
    .filter((line) => line && !line.startsWith('#'));
  const stages = lines
    .join('\n')
    .split(/^FROM /m)
    .slice(1);
  const last = stages.at(-1)!;

  it('takes every stage from the base that the builder names, and packages from the registry', () => {
    expect(lines[0]).toBe('ARG BASE_IMAGE=node:24-bookworm-slim');
    expect(stages).toHaveLength(3);
    for (const stage of stages) expect(stage).toMatch(/^\$\{BASE_IMAGE\}/);
    for (const stage of stages.filter((text) => text.includes('npm ci'))) {
      expect(stage).toContain('ARG NPM_REGISTRY');
      expect(stage).toContain('RUN ${NPM_REGISTRY:+env npm_config_registry=$NPM_REGISTRY} npm ci ');
    }
  });

  it('the image holds no tool, no source and no cache: what it runs comes from the other stages', () => {
    expect(last).not.toMatch(/npm|COPY src|apt/);
    expect([...last.matchAll(/^COPY --from=(\w+) \S+ (\S+)$/gm)].map(([, stage, to]) => [stage, to])).toEqual(
      [
        ['dependencies', './node_modules'],
        ['build', './dist'],
      ],
    );
  });

  it('runs as nobody special, hears signals itself, and asks whether it is alive', () => {
    const place = (line: string) => last.split('\n').findIndex((text) => text.startsWith(line));
    expect(place('USER 1000:1000')).toBeGreaterThan(place('RUN '));
    expect(last).toContain('chown 1000:1000 /data\n');
    expect(last).toContain('CMD ["node", "dist/main.js"]');
    expect(last).toMatch(/HEALTHCHECK .* CMD \["node", "docker\/healthcheck.mjs"\]/);
    expect(read('docker/healthcheck.mjs')).toContain('/api/ext/live');
  });

  it('copies what is there, and .dockerignore lets it through', () => {
    const allowed = read('.dockerignore');
    const copied = [...lines.join('\n').matchAll(/^COPY (?!--from)(.+) \S+$/gm)];
    for (const path of copied.flatMap(([, paths]) => paths!.split(' '))) {
      expect(existsSync(join(ROOT, path))).toBe(true);
      expect(allowed).toContain(`!${path}\n`);
    }
  });
});
