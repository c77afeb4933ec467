import { defineTexts } from '../platform/texts/define-texts';

/** A small file of ingredients for the OpenAPI document, which the demo laboratory can import. */
export const IMPORT_EXAMPLE = `inciName,chineseName,functionCategory,unitPrice,casNumbers
Phenoxyethanol,苯氧乙醇,preservative,45,122-99-6
Bakuchiol,补骨脂酚,antioxidant,1280,10309-37-2
`;

/** Reasons and notes of imports of ingredients. */
export const ingredientImportText = defineTexts({
  'ingredient-import.ambiguous': [
    '{label} 对应原料库中的{count}个成分,请用单独的列加以区分',
    '{label} matches {count} ingredients of the catalogue{hint}',
  ],
  'ingredient-import.may-mean': [
    '{label} 可能是 {names},请写明 INCI 名',
    '{label} may mean {names}: write the INCI name that is meant',
  ],
  'ingredient-import.incomplete': [
    '{label} 不在原料库中,新建还缺少 {fields}',
    '{label} is not in the catalogue, and to create it {fields} is missing',
  ],
  'ingredient-import.category': [
    'functionCategory(或 cosingFunctions)',
    'functionCategory (or cosingFunctions)',
  ],
  'ingredient-import.not-allowed': ['是您无权修改的成分', 'is an ingredient that you may not change'],
  'ingredient-import.no-category': [
    '"{value}"不是功能类别,可用类别: {categories}',
    '"{value}" is no category; the categories are {categories}',
  ],
  'ingredient-import.no-function': [
    '"{name}"不是 CosIng 功能,未采用',
    '"{name}" is no CosIng function and was not used',
  ],
  'ingredient-import.suppliers-alike': [
    '第{one}行和第{other}行: "{name}"的供应商"{supplier}"和"{twin}"名称相近',
    'lines {one} and {other}: "{name}" of "{supplier}" and "{twin}", suppliers whose names look alike',
  ],
  // Prices.
  'ingredient-import.on-request': [
    '"{column}": 询价不作为价格',
    '"{column}": prices on request are no prices',
  ],
  'ingredient-import.no-price': ['"{column}": "{value}"不是价格', '"{column}": "{value}" is no price'],
  'ingredient-import.per': ['"{column}": 价格按 {base} 计', '"{column}": prices are per {base}'],
  'ingredient-import.converted': [
    '"{column}": 价格按 {base} 计,已换算为按 {unit} 计',
    '"{column}": prices are per {base}, read as per {unit}',
  ],
  'ingredient-import.two-bases': [
    '按 {base} 计,而该列的价格按 {other} 计("{column}")',
    'is per {base}, and prices are per {other} ("{column}")',
  ],
  'ingredient-import.other-unit': [
    '是"{unit}",而价格按 {base} 计("{column}")',
    'is "{unit}", and prices are per {base} ("{column}")',
  ],
  'ingredient-import.other-multiple': [
    '"{column}"以分或万等为单位,请改用元等货币单位填写',
    '"{column}" is in hundredths or thousands: write amounts of the currency',
  ],
  'ingredient-import.pack': [
    '是"{size}",而"{price}"没有写明按什么计价: 若按 kg 计价,请忽略规格列(map "{pack}="),否则请把规格作为单位(map "{pack}={unit}")',
    'is "{size}", and "{price}" does not say what it is per: leave the packs out if it is per kg (map "{pack}="), or make them the unit (map "{pack}={unit}")',
  ],
  'ingredient-import.without-unit': [
    '没有写明单位的价格按原料库中的单位计,如有不同请增加"unit"(单位)列: {rows}',
    'Prices without a unit count per unit of the catalogue, add a column "unit" if not: {rows}',
  ],
  // Names.
  'ingredient-import.no-cas-number': ['"{value}"不是有效的 CAS 号', '"{value}" is no CAS number'],
  'ingredient-import.cas-not-used': [
    '"{column}": "{number}"不是 CAS 号,未采用',
    '"{column}": "{number}" is no CAS number and was not used',
  ],
  'ingredient-import.ec-not-used': [
    '"{column}": "{number}"不是 EC 号,未采用',
    '"{column}": "{number}" is no EC number and was not used',
  ],
  'ingredient-import.comma': [
    '"{column}": 逗号视为名称的一部分;多个名称之间请用 ";"、"、"、"|" 或换行分隔',
    '"{column}": a comma was read as a part of the name; ";", "、", "|" or a new line stands between names',
  ],
  'ingredient-import.too-many-names': ['名称超过{max}个', 'has more than {max} names'],
  'ingredient-import.long-name': ['有名称超过{max}个字符', 'has a name longer than {max} characters'],
  'ingredient-import.names-of-a-kind': [
    '{label} 的同类名称将超过{max}个',
    '{label} would have more than {max} names of a kind',
  ],
});
