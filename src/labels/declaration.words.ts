import type { DeclarationGroup, ProblemCode, ProductType, Region, UndeclaredReason } from './declaration.dto';

interface DeclarationWords {
  title: string;
  fileName: string;
  facts: Record<
    'formula' | 'version' | 'region' | 'productType' | 'heading' | 'text' | 'total' | 'complete',
    string
  >;
  yes: string;
  no: string;
  regions: Record<Region, string>;
  productTypes: Record<ProductType, string>;
  tables: Record<'entries' | 'problems' | 'undeclared', string>;
  columns: Record<
    | 'position'
    | 'group'
    | 'name'
    | 'inciName'
    | 'percentage'
    | 'minPercentage'
    | 'maxPercentage'
    | 'countedInFragrance'
    | 'lines'
    | 'problem'
    | 'message'
    | 'reason',
    string
  >;
  groups: Record<DeclarationGroup, string>;
  reasons: Record<UndeclaredReason, string>;
  problems: Record<ProblemCode, string>;
  notes: { basis: string; fragrance: string; closing: string };
}

export const DECLARATION_WORDS: Readonly<Record<'zh' | 'en', DeclarationWords>> = {
  zh: {
    title: '标签成分表（草稿）',
    fileName: '成分表',
    facts: {
      formula: '配方',
      version: '版本',
      region: '地区',
      productType: '产品类型',
      heading: '标题词',
      text: '标签文字',
      total: '配方合计（%）',
      complete: '名称齐全',
    },
    yes: '是',
    no: '否，见“待处理”',
    regions: { eu: '欧盟', us: '美国', cn: '中国' },
    productTypes: { 'leave-on': '驻留类', 'rinse-off': '淋洗类' },
    tables: { entries: '成分', problems: '待处理', undeclared: '不标注的物质' },
    columns: {
      position: '序号',
      group: '分组',
      name: '标注名称',
      inciName: 'INCI 名称',
      percentage: '含量（%）',
      minPercentage: '最低（%）',
      maxPercentage: '最高（%）',
      countedInFragrance: '计入香精或提取物（%）',
      lines: '来源',
      problem: '问题',
      message: '说明',
      reason: '原因',
    },
    groups: {
      descending: '降序',
      'below-one-percent': '低于 1%',
      colorants: '着色剂',
      trace: '其他微量成分',
    },
    reasons: {
      impurity: '原料杂质',
      'processing-aid': '不存在于成品中的加工助剂',
      'allergen-not-above-threshold': '致敏物未超过标注限值',
    },
    problems: {
      'composition-unknown': '名称为复配原料（几种物质），但未录入其组成，不作推测',
      'ingredient-hidden': '您无权查看该原料，其组成未知',
      'allergens-unknown': '该香精、精油或提取物的组成未录入，或其中未标明致敏物，致敏物未知',
      'allergen-role-unknown':
        '该物质在香精中，含量超过致敏物标注限值，但未填写角色，可能是致敏物：请填写 fragrance-allergen 或其他角色',
      'allergen-name-unknown':
        '该致敏物的名称不在已知的欧盟致敏物名称之中，可能须以组名标注，并与同组物质合并计算',
      'no-inci-name': '名称为中文，没有 INCI 名称',
      'no-chinese-name': '没有标准中文名称',
      'several-chinese-names': '同一物质有多个中文名称，采用第一个',
      'same-chinese-name': '不同的物质有同一个中文名称，在表中成为一项：请更正中文名称',
      'no-ci-number': '着色剂没有 CI 号',
      'ci-number-only': '美国标签不使用 CI 号，请填写其美国名称',
      'trade-name': '名称像商品名，不是标准名称',
    },
    notes: {
      basis:
        '区间先按各物质合计为 100% 收窄。顺序以及 1%（欧盟、美国）和 0.1%（中国）的界限按区间的中值，致敏物的标注限值按区间的最高值。',
      fragrance: '香精的含量包括其中的致敏物。',
      closing: '本成分表为草稿，须由有资质的人员核对。不构成法律意见，也不是安全评估。',
    },
  },
  en: {
    title: 'Ingredient list for the label (draft)',
    fileName: 'ingredient-list',
    facts: {
      formula: 'Formula',
      version: 'Version',
      region: 'Region',
      productType: 'Product type',
      heading: 'Heading',
      text: 'Label text',
      total: 'Total of the formula (%)',
      complete: 'All names known',
    },
    yes: 'yes',
    no: 'no, see “To be settled”',
    regions: { eu: 'European Union', us: 'United States', cn: 'China' },
    productTypes: { 'leave-on': 'leave-on', 'rinse-off': 'rinse-off' },
    tables: { entries: 'Ingredients', problems: 'To be settled', undeclared: 'Substances not named' },
    columns: {
      position: 'No.',
      group: 'Group',
      name: 'Name on the label',
      inciName: 'INCI name',
      percentage: 'Share (%)',
      minPercentage: 'Lowest (%)',
      maxPercentage: 'Highest (%)',
      countedInFragrance: 'In fragrance or extract (%)',
      lines: 'Comes from',
      problem: 'Problem',
      message: 'Explanation',
      reason: 'Reason',
    },
    groups: {
      descending: 'descending',
      'below-one-percent': 'below 1 %',
      colorants: 'colorants',
      trace: 'trace',
    },
    reasons: {
      impurity: 'impurity of a raw material',
      'processing-aid': 'processing aid that is not present in the product',
      'allergen-not-above-threshold': 'allergen that does not exceed the threshold',
    },
    problems: {
      'composition-unknown':
        'The name is that of a blend whose composition is not given; it is not split by guess',
      'ingredient-hidden': 'You may not see this raw material, so its composition is unknown',
      'allergens-unknown':
        'No composition of this fragrance, essential oil or extract is given, or none of its substances is marked as an allergen, so its allergens are unknown',
      'allergen-role-unknown':
        'The substance is in a fragrance, above the threshold of allergens and without a role, so it may be an allergen: give it the role fragrance-allergen or another',
      'allergen-name-unknown':
        'The name is none of the known names of allergens in the EU, so the allergen may have to be declared under the name of a group, with the others of that group',
      'no-inci-name': 'The name is Chinese; there is no INCI name',
      'no-chinese-name': 'There is no standard Chinese name',
      'several-chinese-names': 'One substance has several Chinese names; the first is used',
      'same-chinese-name':
        'Different substances have one Chinese name and are one entry: correct the Chinese names',
      'no-ci-number': 'The colorant has no Colour Index number',
      'ci-number-only': 'US labels do not use Colour Index numbers: give its name in the United States',
      'trade-name': 'The name looks like a trade name, not like a standard one',
    },
    notes: {
      basis:
        'Ranges are first narrowed to what the rest of the composition leaves. The order and the bounds of 1 % (EU, US) and 0.1 % (China) go by the middle of a range, the threshold of allergens by its maximum.',
      fragrance: 'The share of the fragrance includes its allergens.',
      closing: 'Draft, to be checked by a qualified person. Not legal advice and not a safety assessment.',
    },
  },
};
