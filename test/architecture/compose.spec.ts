import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const ROOT = join(__dirname, '../..');
const read = (path: string) => readFileSync(join(ROOT, path), 'utf8');

/** Decided by the image and the compose file itself. */
const NOT_PASSED = ['DATA_DIR', 'HOST', 'NODE_ENV', 'PORT'];

describe('docker/compose.yaml', () => {
  const compose = read('docker/compose.yaml');
  const [service = '', postgres = ''] = compose.split(/^ {2}(?:service|postgres):$/m).slice(1);

  it('passes on every setting of the README', () => {
    const settings = [...read('README.md').matchAll(/^\| `([A-Z_]+)` /gm)].map(([, name]) => name!);
    const passed = [...service.matchAll(/^ {6}([A-Z_]+): (.*)$/gm)];
    expect(passed.map(([, name]) => name).sort()).toEqual(
      settings.filter((name) => !NOT_PASSED.includes(name)).sort(),
    );
    expect(settings).toContain('JWT_SECRET');
    // Under its own name, or made of what has a name.
    const others = passed.filter(([, name, value]) => value !== `\${${name}:-}`).map(([, name]) => name);
    expect(others).toEqual(['DATABASE_URL', 'JWT_SECRET']);
  });

  it('the service connects as a role that is no superuser', () => {
    expect(service).toMatch(/DATABASE_URL: postgres:\/\/formula:/);
    expect(postgres).not.toContain('POSTGRES_USER');
    expect(read('docker/create-role.sh')).toContain('CREATE ROLE formula LOGIN NOSUPERUSER ');
  });

  it.each([
    ['service', service],
    ['postgres', postgres],
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
