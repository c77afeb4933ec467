import { groupBy } from '../../platform/common/collections';
import { inTurns } from '../../platform/common/in-turns';
import { plainText } from '../../platform/common/name-forms';
import type { Message } from '../../platform/texts/define-texts';
import type { Reason, RefusedRow } from '../../files/import-report';
import { listed } from '../../files/import.texts';
import { colorImportText } from './color-import.texts';
import type { ColorDraft } from './color-row';
import { kindInName } from './measurement';

interface ComparableRows {
  drafts: ColorDraft[];
  refused: RefusedRow[];
  notes: Reason[];
}

const lightOf = ({ measurement }: ColorDraft) => measurement?.light;
const kindOf = ({ measurement }: ColorDraft) => measurement?.kind;

/**
 * Leaves out rows that are not measured under D65, joins a standard with its batch, and refuses rows of one name that
 * are measured differently. A name is the key of rows without an id.
 */
export async function measuredAlike(rows: readonly ColorDraft[]): Promise<ComparableRows> {
  const drafts: ColorDraft[] = [];
  const refused: RefusedRow[] = [];
  const joined: string[] = [];
  const refuse = (row: ColorDraft, reason: Message) =>
    void refused.push({ line: row.line, faults: [{ field: 'name', value: row.name, reason }] });

  const byLight = groupBy(rows, lightOf);
  const others = [...byLight].filter(([light]) => light !== undefined && light !== 'd65');
  if (others.length > 0) {
    for (const row of byLight.get(undefined) ?? []) refuse(row, colorImportText('color-import.no-light'));
  }
  const left = rows.filter((row) => lightOf(row) === 'd65' || (others.length === 0 && !lightOf(row)));
  const hasStandard = left.some((row) => kindOf(row) === 'standard');
  const isPair = await namedPairs(left);
  const keys = new Map(await inTurns(left, (row) => [row, row.id ?? plainText(row.name)] as const));
  const byName = groupBy(left, (row) => keys.get(row));
  await inTurns(byName.values(), (found) => {
    const conditions = [...new Set(found.map(({ measurement }) => measurement?.under || '-'))];
    const [standard, batch] = [
      found.find((row) => kindOf(row) === 'standard'),
      found.find((row) => kindOf(row) === 'batch'),
    ];
    if (conditions.length > 1) {
      const reason = colorImportText('color-import.measured-differently', {
        conditions: listed(conditions),
      });
      for (const row of found) refuse(row, reason);
    } else if (standard && batch && found.length === 2 && !standard.actualLab && !batch.actualLab) {
      joined.push(`${standard.line} + ${batch.line}`);
      drafts.push({
        ...standard,
        actualLab: batch.targetLab,
        deltaE: batch.deltaE ?? standard.deltaE,
        colorantComposition: standard.colorantComposition ?? batch.colorantComposition,
      });
    } else if ((batch && hasStandard) || isPair(found[0]!)) {
      for (const row of found) refuse(row, colorImportText('color-import.standard-and-batch'));
    } else for (const row of found) drafts.push(row);
  });
  const notes = others.map(([light, found]) =>
    colorImportText('color-import.other-light', {
      light: light!.toUpperCase(),
      lines: listed(found.map(({ line }) => line)),
    }),
  );
  if (joined.length > 0) notes.push(colorImportText('color-import.joined', { lines: listed(joined) }));
  return { drafts: drafts.sort((one, other) => one.line - other.line), refused, notes };
}

/** Returns a test for rows whose names, such as `Red standard` and `Red batch 1`, make them a pair. */
async function namedPairs(rows: readonly ColorDraft[]): Promise<(row: ColorDraft) => boolean> {
  const kinds = new Map<string, Set<string>>();
  await inTurns(rows, ({ name }) => {
    const { base, kind } = kindInName(name);
    if (kind) kinds.set(base, (kinds.get(base) ?? new Set()).add(kind));
  });
  return ({ name }) => {
    const { base, kind } = kindInName(name);
    return kind !== undefined && kinds.get(base)!.size > 1;
  };
}
