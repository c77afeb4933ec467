import { TableError } from './table';

/** One attribute, whatever its value holds. */
const ATTRIBUTE = /\s+(?:[\w-]+:)?([\w-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const END_OF_TAG = /\s*(\/?)>/y;

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

export interface XmlTag {
  /** Without its prefix. */
  name: string;
  /** False: it closes its element. */
  opens: boolean;
  /** It is an element without content. */
  isEmpty: boolean;
  attributes: ReadonlyMap<string, string>;
  /** Where what follows it begins. */
  end: number;
}

/**
 * The tags of the elements with these names, in their order.
 * @throws TableError for a tag whose attributes cannot be read
 */
export function* xmlTags(xml: string, names: readonly string[]): Generator<XmlTag> {
  const tag = new RegExp(`<(/?)(?:[^\\s<>:/]+:)?(${names.join('|')})(?=[\\s/>])`, 'g');
  for (const found of xml.matchAll(tag)) {
    const attributes = new Map<string, string>();
    let end = found.index + found[0].length;
    ATTRIBUTE.lastIndex = end;
    for (let one = ATTRIBUTE.exec(xml); one; one = ATTRIBUTE.exec(xml)) {
      attributes.set(one[1]!, decodeEntities(one[2] ?? one[3] ?? ''));
      end = ATTRIBUTE.lastIndex;
    }
    END_OF_TAG.lastIndex = end;
    const [closing, slash] = END_OF_TAG.exec(xml) ?? [];
    if (closing === undefined) throw new TableError('The XLSX file is damaged.');
    end += closing.length;
    yield { name: found[2]!, opens: found[1] === '', isEmpty: slash === '/', attributes, end };
  }
}

const decodeEntities = (text: string): string =>
  text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : parseInt(hex as string, 16);
    if (name) return ENTITIES.get((name as string).toLowerCase()) ?? whole;
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });

/** What is between two tags, as text. */
export const textBetween = (xml: string, start: number): string =>
  decodeEntities(xml.slice(start, xml.indexOf('<', start)));
