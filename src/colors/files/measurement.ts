import { plainName } from '../../files/mapping/names';

/** Words for the target and the measured colour, as laboratories and the software of spectrophotometers use them. */
export const TARGET =
  'target|standard|std|reference|ref|目标|标准|标样|标准样|目标值|目標|標準|標樣|soll|sollwert';
export const MEASURED =
  'measured|actual|sample|batch|bat|trial|specimen|spl|smp|实测|测量|测得|试样|样品|批次|实测值|實測|測量|試樣|樣品|ist|istwert|probe';

/** How the colour of a row was measured, as its file says. */
export interface Measurement {
  /** The light in small letters: `d65`. Undefined where the file does not say it. */
  readonly light?: string;
  /** Light, observer and mode together. */
  readonly under: string;
  readonly kind?: 'standard' | 'batch';
}

const LIGHT = 'illuminants?|illum|illumination|lightsource|normlichtart|lichtart|光源|照明体|照明|光源体';

/** Names of a column of lights, in their plain form: `Illuminant`, `Illum./Obs.`, `光源/视场`. */
export const LIGHT_NAME = new RegExp(
  `^(?:cie|standard|标准)?(?:${LIGHT})(?:name|type|名称|observer|obs|angle|视场|角度|观察者)*$`,
);

/** A line that says the light: `Illuminant: A`, `光源 D65/10°`, `A/10°`. */
export const LIGHT_ABOVE = new RegExp(
  `(?:^|[\\s(（,;])(?:ill(?:um(?:inant|ination)?)?|light source|normlichtart|lichtart|光源|照明体)\\.?\\s*[:：=]?\\s*\\S` +
    `|(?:^|[\\s(（,;])(?:D65|D50|D55|D75|A|C|F\\d{1,2}|TL84|CWF)\\s*/\\s*(?:10|0?2)(?:\\s*°|\\b)`,
  'i',
);

const KNOWN_LIGHT =
  /^(d65|a|b|c|e|d50|d55|d75|d93|fl?\d{1,2}|tl8[345]|cwf2?|wwf|u30|ul30|u35|ul35|spl|led[-a-z]*\d*|incandescent|inca?|horizon|hor|uv)(?:0?2|10)?$/;
const WORDS_BESIDE =
  /(?:standard|cie|illuminant|illumination|illum|ill|light\s*source|light|normlichtart|lichtart|daylight|日光|标准|光源|照明体|observer(?:angle)?|obs|视场|观察者|degrees?|deg|度|[°=])/gi;

/** Returns the light that a text names, alone or with its observer; undefined for any other text. */
export const readLight = (text: string): string | undefined =>
  KNOWN_LIGHT.exec(plainName(text.replace(WORDS_BESIDE, ' ')))?.[1];

const STANDARD_WORD = new RegExp(`^(?:${TARGET})$`);
const BATCH_WORD = new RegExp(`^(?:${MEASURED})\\d*$`);

/** Undefined for a text that is no word for either. */
export function kindOf(text = ''): Measurement['kind'] {
  const plain = plainName(text);
  if (STANDARD_WORD.test(plain)) return 'standard';
  return BATCH_WORD.test(plain) ? 'batch' : undefined;
}

const KIND_IN_NAME = new RegExp(`^(.*?)(?<![a-zà-ÿ])((?:${TARGET}|${MEASURED})[\\s#.]*\\d*)[)）\\]]?$`, 'i');

/** Splits `Shade 1 (batch 2)` into its kind and the name before it. */
export function kindInName(name: string): { base: string; kind: Measurement['kind'] } {
  const [, base = name, word] = KIND_IN_NAME.exec(name.trim()) ?? [];
  return { base: plainName(base), kind: kindOf(word) };
}
