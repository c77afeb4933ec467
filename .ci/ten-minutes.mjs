// Prints the steps of "Ten minutes" in docs/extending.md as one bash script: files are written, commands run
// in order, the service in the background. It wants PACKAGE, PORT, and SERVICE: where .ci/service.sh is.
import { readFileSync } from 'node:fs';

const text = readFileSync('docs/extending.md', 'utf8');
const [, part] = /<!-- ten minutes -->([\s\S]*?)<!-- end of ten minutes -->/.exec(text);

console.log('set -euo pipefail\n. "$SERVICE"\ntrap stop_service EXIT');
for (const [, before, language, code] of part.matchAll(/([^\n]*)\n+```(\w+)\n([\s\S]*?)```/g)) {
  if (language !== 'bash') {
    const [, file] = /`laboratory[/]([\w./]+)`[^`]*:$/.exec(before);
    console.log(`cat >${file} <<'END OF FILE'\n${code}END OF FILE`);
    continue;
  }
  for (const line of code.replaceAll('localhost:3001', 'localhost:$PORT').split('\n')) {
    if (line.startsWith('npx formula-service start')) {
      console.log(
        `start_service service.log env PORT="$PORT" ${line}\nawait_health "http://localhost:$PORT/api"`,
      );
    } else {
      console.log(line);
    }
  }
}
