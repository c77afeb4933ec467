import words from './words.json';

/** Text before a number that is part of the name: colours, polymers, and trade names with a number. */
export const NUMBERED_NAME = new RegExp(
  String.raw`(?:${words.numberedNames.join('|')})[\s-]*(?:no\.? ?)?$`,
  'iu',
);
export const WATER = /(?:^|[\s|])(?:aqua|water|wasser|eau|agua|acqua|вода|[\p{Script=Han}]{0,3}水)$/iu;

const FUNCTION = new RegExp(`^(?:(?:${words.hanFunctions.join('|')})剂|${words.functions.join('|')})$`, 'iu');
/** Returns true for the function of an ingredient, which is not a name if a substance is beside it. */
export const isFunction = (text: string): boolean => FUNCTION.test(text.trim());

/** Label before a list of ingredients or before one ingredient: the title of the list, or the ingredient's function. */
export const LABEL = /^([^:()\d%]{1,40}(?:\([^()]{1,20}\))?\d{0,2}) ?: */u;
/** Labels that may also be before an amount that is followed by its name. */
export const LIST_LABEL =
  /(?:配方|成分|成份|formula|recipe|ingredients?|inci|rezeptur|composition|ricetta|receta|sample|样品|\d)\s*\)?$/iu;
/** Text between the number of a solution and its amount. */
export const SOLUTION =
  /^\W*(?:(?:aq(?:ueous)?\.?\s+)?(?:solution|soln?|lösung|水?溶液)|aq(?:ueous)?\b|active\b)\W*$/iu;
/** Words that join two ingredients with amounts. */
export const JOINING = /^(?:and|with|plus|und|mit|et|avec|con|y|e|ed|i|и|和|及|与|以及)$/iu;
/** Words that occur with a number and are not ingredients. */
export const NO_NAME =
  /^(?:active|actives|wirkstoff|solution|total|有效物|活性物|contains?|含有?|\p{Script=Latin})$|(?<!\p{L})(?:contains?|containing|uses?|used)(?!\p{L})|\s(?:bis|to|ad|auf|à|до|от|um|by|over|at|for|on|nach|über|при|на|их|nur|only|about|around|mwst|vat|x)$|\p{Script=Han}\d{1,3},\d|^(?:natural|recyclable|vegan|organic) \p{L}+$/iu;
/** Measures of a raw material that may be part of its name: a viscosity, a size, a molecular weight. */
export const MATERIAL_MEASURE = /(?:cps?|cst?|[nµμ]m|微米|纳米|目|mesh|k?da|道尔顿|iu|号|[vw]\/v|vol\.?)$/iu;
