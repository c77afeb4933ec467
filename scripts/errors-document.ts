import { ERRORS, FIELD_FAULTS } from '../src/platform/texts/catalogue';
import { MESSAGES } from '../src/platform/texts/messages';
import type { Template } from '../src/platform/texts/define-texts';

const OPENING = `# Errors

Written by \`npm run errors\` from \`src/platform/texts/catalogue.ts\`.

Every error answer carries \`X-Error-Code\`. Compare codes in programs: a code keeps its meaning, and any release may add new
ones. Texts are for people. The body is the contract's, \`{ error, statusCode }\`.

An extension may give its error a code such as \`stability.locked\`. Without one, the code is \`error.<status>\`, such as
\`error.404\`.

Texts are Chinese. A request with \`X-Language: en\` gets them in English. For further languages, see [Texts and error codes](extending/texts.md).

## Codes of answers
`;

const FAULTS = `
## Faults of fields

The text of \`validation.failed\` lists the first 20 as \`<field>: <fault>\`, joined by \`; \`. These codes are not sent.
`;

const OTHERS = `
## Other texts

For the \`error\` messages of event streams, whose headers are sent before, and for the answer of \`POST /api/config/test\`.
`;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

const texts = (entries: Readonly<Record<string, Template>>) =>
  table(
    ['Code', 'Text', 'English'],
    Object.entries(entries).map(([code, [chinese, english]]) => [`\`${code}\``, chinese, english.trim()]),
  );

/** What docs/errors.md says, before its tables are aligned: the codes with status and text. */
export function errorsDocument(): string {
  const answers = Object.entries<Template>(ERRORS).map(([code, [chinese, english, status]]) => [
    `\`${code}\``,
    [status].flat().join(', '),
    chinese,
    english,
  ]);
  const parts = [
    OPENING,
    table(['Code', 'Status', 'Text', 'English'], answers),
    FAULTS,
    texts(FIELD_FAULTS),
    OTHERS,
    texts(MESSAGES),
  ];
  return `${parts.join('\n')}\n`;
}
