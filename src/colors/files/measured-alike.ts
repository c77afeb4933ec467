import { inTurns, nextTurn } from '../../platform/common/in-turns';
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

/** Rows of one name, the conditions under which they are measured, and the first of each kind. */
interface Namesakes {
  found: ColorDraft[];
  conditions: Set<string>;
  standard?: ColorDraft;
  batch?: ColorDraft;
}

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

  const byLight = new Map<string | undefined, ColorDraft[]>();
  await inTurns(rows, (row) => {
    const light = lightOf(row);
    const found = byLight.get(light);
    if (found) found.push(row);
    else byLight.set(light, [row]);
  });
  const others = [...byLight].filter(([light]) => light !== undefined && light !== 'd65');
  if (others.length > 0) {
    const reason = colorImportText('color-import.no-light');
    await inTurns(byLight.get(undefined) ?? [], (row) => refuse(row, reason));
  }
  const left: ColorDraft[] = [];
  let hasStandard = false;
  const byName = new Map<string, Namesakes>();
  await inTurns(rows, (row) => {
    if (lightOf(row) !== 'd65' && (others.length > 0 || lightOf(row))) return;
    left.push(row);
    const key = row.id ?? plainText(row.name);
    const group = byName.get(key) ?? { found: [], conditions: new Set() };
    byName.set(key, group);
    group.found.push(row);
    group.conditions.add(row.measurement?.under || '-');
    const kind = kindOf(row);
    if (kind) group[kind] ??= row;
    if (kind === 'standard') hasStandard = true;
  });
  const isPair = await namedPairs(left);
  await inTurns(byName.values(), async ({ found, conditions, standard, batch }) => {
    if (conditions.size > 1) {
      const reason = colorImportText('color-import.measured-differently', {
        conditions: listed([...conditions]),
      });
      await inTurns(found, (row) => refuse(row, reason));
    } else if (standard && batch && found.length === 2 && !standard.actualLab && !batch.actualLab) {
      joined.push(`${standard.line} + ${batch.line}`);
      drafts.push({
        ...standard,
        actualLab: batch.targetLab,
        deltaE: batch.deltaE ?? standard.deltaE,
        colorantComposition: standard.colorantComposition ?? batch.colorantComposition,
      });
    } else if ((batch && hasStandard) || isPair(found[0]!)) {
      const reason = colorImportText('color-import.standard-and-batch');
      await inTurns(found, (row) => refuse(row, reason));
    } else await inTurns(found, (row) => void drafts.push(row));
  });
  const notes = others.map(([light, found]) =>
    colorImportText('color-import.other-light', {
      light: light!.toUpperCase(),
      lines: listed(found.map(({ line }) => line)),
    }),
  );
  if (joined.length > 0) notes.push(colorImportText('color-import.joined', { lines: listed(joined) }));
  await nextTurn();
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
