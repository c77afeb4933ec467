import type { Message } from '../../platform/texts/define-texts';
import { importText } from '../import.texts';
import { TableError } from './table';

/** A tag, of an empty element (`<c/>`) first the opening one and then the closing one. */
export interface XmlTag {
  /** Without its prefix. */
  readonly name: string;
  /** False for a closing tag. */
  readonly opens: boolean;
  readonly attributes: ReadonlyMap<string, string>;
  /** The text between the previous tag and this one. */
  readonly text: string;
}

/** A reader stores all attributes of a tag, and the names of all open elements. */
const MOST_TAG_CHARACTERS = 64 * 1024;
const MAX_DEPTH = 100;

const TAG = /<(\/?)(?:[^\s<>:/]+:)?([^\s<>:/]+)/y;
/** One attribute with any value. */
const ATTRIBUTE = /\s+(?:[\w-]+:)?([\w-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y;
const END_OF_TAG = /\s*(\/?)>/y;

const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

export const damaged = () => new TableError(importText('import.damaged'));

export const unreadable = (reason: Message) =>
  new TableError(importText('import.unreadable-workbook', { reason }));

/**
 * Yields all tags of an XML document in their order, in time proportional to its length.
 * @throws TableError if the document is not well-formed, or has a document type, whose entities could be endless
 */
export function* xmlTags(xml: string): Generator<XmlTag> {
  const open: string[] = [];
  let text = '';
  let at = 0;
  for (let start = xml.indexOf('<'); start >= 0; start = xml.indexOf('<', at)) {
    text += decodeEntities(xml.slice(at, start));
    if (xml.startsWith('<?', start)) at = endOf('?>', xml, start);
    else if (xml.startsWith('<!--', start)) at = endOf('-->', xml, start);
    else if (xml.startsWith('<![CDATA[', start)) {
      at = endOf(']]>', xml, start);
      text += xml.slice(start + '<![CDATA['.length, at - ']]>'.length);
    } else {
      const { name, opens, isEmpty, attributes, end } = tagAt(xml, start);
      at = end;
      if (opens) {
        if (open.push(name) > MAX_DEPTH) throw damaged();
        yield { name, opens, attributes, text };
        text = '';
      }
      if (isEmpty || !opens) {
        if (open.pop() !== name) throw unreadable(importText('import.broken-xml'));
        yield { name, opens: false, attributes: NO_ATTRIBUTES, text };
        text = '';
      }
    }
  }
  if (open.length > 0) throw unreadable(importText('import.broken-xml'));
}

/** No document type is a tag by this rule. */
function tagAt(xml: string, start: number) {
  TAG.lastIndex = start;
  const [tag, slash, name] = TAG.exec(xml) ?? [];
  if (tag === undefined) throw damaged();
  let end = start + tag.length;
  let attributes: Map<string, string> | undefined;
  ATTRIBUTE.lastIndex = end;
  for (let one = ATTRIBUTE.exec(xml); one; one = ATTRIBUTE.exec(xml)) {
    attributes ??= new Map();
    attributes.set(one[1]!, decodeEntities(one[2] ?? one[3] ?? ''));
    end = ATTRIBUTE.lastIndex;
    if (end - start > MOST_TAG_CHARACTERS) throw damaged();
  }
  END_OF_TAG.lastIndex = end;
  const [closing, emptySlash] = END_OF_TAG.exec(xml) ?? [];
  if (closing === undefined) throw damaged();
  end += closing.length;
  if (end - start > MOST_TAG_CHARACTERS + 1) throw damaged();
  return {
    name: name!,
    opens: slash === '',
    isEmpty: emptySlash === '/',
    attributes: attributes ?? NO_ATTRIBUTES,
    end,
  };
}

function endOf(mark: string, xml: string, start: number): number {
  const at = xml.indexOf(mark, start);
  if (at < 0) throw damaged();
  return at + mark.length;
}

const ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
]);

function decodeEntities(text: string): string {
  if (!text.includes('&')) return text;
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (entity, decimal, hex, name) => {
    const code = decimal ? Number(decimal) : parseInt(hex as string, 16);
    if (name) return ENTITIES.get((name as string).toLowerCase()) ?? entity;
    return code <= 0x10ffff ? String.fromCodePoint(code) : entity;
  });
}
