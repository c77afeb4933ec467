/** Before a number that is part of the name: colours, polymers, trade names that are sold by number. */
export const NUMBERED_NAME =
  /(?:polysorbate|poloxam(?:er|ine)|meroxapol|tween|span|sorbitan|peg|ppg|carbomer|carbopol|quaternium|\bci|yellow|red|blue|orange|green|violet|black|brown|montanov|brij|arlacel|cremophor|kolliphor|lanette|simulsol|emulgade|emulgin|eumulgin|tego care|silicone fluid|xiameter pmx|dow corning|\bdc|texapon n|euxyl pe|sepigel|olivem|myritol|cetiol|lipocol|plantacare|plantapon|euxyl k|sensiva sc|吐温|司盘|聚山梨醇酯|聚季铵盐|聚乙二醇|卡波姆?|泊洛沙姆|[酸碱]性[红黄蓝橙紫绿黑棕]|(?:食品|溶剂|颜料|分散|直接|还原)[红黄蓝橙紫绿黑棕]|draft|version|\bv|\bno\.?|\bnr\.?|step|day|第)[\s-]*(?:no\.? ?)?$/iu;
export const WATER = /(?:^|[\s|])(?:aqua|water|wasser|eau|agua|acqua|вода|[\p{Script=Han}]{0,3}水)$/iu;

const FUNCTION = new RegExp(
  String.raw`^(?:(?:${[
    '保湿|防腐|增稠|乳化|助乳化|表面活性|螯合|润肤|柔润|抗氧化|赋香|芳香|调理|pH调节|酸碱调节|成膜|去角质|美白|防晒|增溶|清洁|起泡|稳定|悬浮|粘合|皮肤调理|头发调理|抗静电|消泡|推进|遮光|珠光|收敛|缓冲|中和|着色|软化|填充|流变',
  ].join(
    '',
  )})剂|溶剂|保湿|防腐|增稠|乳化|preservatives?|thickeners?|(?:co-)?emulsifiers?|humectants?|emollients?|solvents?|surfactants?|chelat\p{L}+(?: agents?)?|antioxidants?|ph[ -]adjusters?|conditioners?|film[ -]formers?|solubili[sz]ers?|stabili[sz]ers?|viscosity \p{L}+|moisturi[sz]ers?|neutrali[sz]ers?|uv[ -]filters?|sunscreens?|colou?rants?|pigments?|fillers?|binders?|opacifiers?|konservier\p{L}+|verdick\p{L}+|emulgator\p{L}*|feuchthalte\p{L}+|lösungsmittel|tensid\p{L}*|conservat?eur|épaississant|émulsi\p{L}+|émollient|solvant|tensioactif|antioxydant|conservante|espesante|emulsionante|emulgente|humectante|emoliente|disolvente|tensioactivo|addensante|umettante|solvente|консервант|эмульгатор|загуститель|увлажнитель|растворитель)$`,
  'iu',
);
/** What an ingredient is for: no name where a substance stands beside it. */
export const isFunction = (text: string): boolean => FUNCTION.test(text.trim());

/** Before the ingredients of a line or before one: what the list is of, what the ingredient is for. */
export const LABEL = /^([^:()\d%]{1,40}(?:\([^()]{1,20}\))?\d{0,2}) ?: */u;
/** Of those that stand before an amount as well, where the name follows it. */
export const LIST_LABEL =
  /(?:配方|成分|成份|formula|recipe|ingredients?|inci|rezeptur|composition|ricetta|receta|sample|样品|\d)\s*\)?$/iu;
/** Between the number of a solution and its amount. */
export const SOLUTION =
  /^\W*(?:(?:aq(?:ueous)?\.?\s+)?(?:solution|soln?|lösung|水?溶液)|aq(?:ueous)?\b|active\b)\W*$/iu;
/** Words that join two ingredients with amounts. */
export const JOINING = /^(?:and|with|plus|und|mit|et|avec|con|y|e|ed|i|и|和|及|与|以及)$/iu;
/** Named with a number, and no ingredients. */
export const NO_NAME =
  /^(?:active|actives|wirkstoff|solution|total|有效物|活性物|contains?|含有?|\p{Script=Latin})$|(?<!\p{L})(?:contains?|containing|uses?|used)(?!\p{L})|\s(?:bis|to|ad|auf|à|до|от|um|by|over|at|for|on|nach|über|при|на|их|nur|only|about|around|mwst|vat|x)$|\p{Script=Han}\d{1,3},\d|^(?:natural|recyclable|vegan|organic) \p{L}+$/iu;
/** Measures of a raw material, which may stand in its name: a viscosity, a size, a molecular weight. */
export const MATERIAL_MEASURE = /(?:cps?|cst?|[nµμ]m|微米|纳米|目|mesh|k?da|道尔顿|iu|号|[vw]\/v|vol\.?)$/iu;
