import type { DocumentLanguage } from '../../documents/document';
import type { ProductType } from '../editions/limit.entity';
import type { FindingNote, MissingInformation, UnexaminedPart } from './screening-model';

export const PRODUCT_TYPE_WORDS: Readonly<Record<DocumentLanguage, Record<ProductType, string>>> = {
  zh: {
    'face-leave-on': '面部驻留类',
    'face-rinse-off': '面部淋洗类',
    'eye-leave-on': '眼部驻留类',
    'eye-make-up': '眼部彩妆',
    'make-up-remover': '卸妆产品',
    lip: '唇部产品',
    'face-make-up': '面部彩妆',
    'face-powder': '面部粉类',
    'body-lotion': '身体乳',
    'body-leave-on': '身体驻留类',
    'body-spray': '身体喷雾',
    'hand-leave-on': '手部驻留类',
    'hand-wash': '洗手产品',
    'foot-leave-on': '足部驻留类',
    'shower-and-bath': '沐浴产品',
    soap: '皂类',
    'sunscreen-face': '面部防晒',
    'sunscreen-body': '身体防晒',
    'sunscreen-spray': '防晒喷雾',
    'self-tanning-face': '面部自晒黑产品',
    'self-tanning-body': '身体自晒黑产品',
    deodorant: '止汗除臭产品',
    'deodorant-spray': '止汗除臭喷雾',
    fragrance: '香水类',
    shampoo: '洗发产品',
    'anti-dandruff-shampoo': '去屑洗发产品',
    'hair-rinse-off': '发用淋洗类',
    'hair-leave-on': '发用驻留类',
    'hair-spray': '发用喷雾',
    'hair-dye': '染发产品',
    'hair-straightening': '直发产品',
    nail: '甲用产品',
    toothpaste: '牙膏',
    mouthwash: '漱口水',
    'baby-leave-on': '婴幼儿驻留类',
    'baby-rinse-off': '婴幼儿淋洗类',
    'intimate-leave-on': '私处驻留类',
  },
  en: {
    'face-leave-on': 'face, leave-on',
    'face-rinse-off': 'face, rinse-off',
    'eye-leave-on': 'eye area, leave-on',
    'eye-make-up': 'eye make-up',
    'make-up-remover': 'make-up remover',
    lip: 'lip product',
    'face-make-up': 'face make-up',
    'face-powder': 'face powder',
    'body-lotion': 'body lotion',
    'body-leave-on': 'body, leave-on',
    'body-spray': 'body spray',
    'hand-leave-on': 'hand, leave-on',
    'hand-wash': 'hand wash',
    'foot-leave-on': 'foot, leave-on',
    'shower-and-bath': 'shower and bath',
    soap: 'soap',
    'sunscreen-face': 'sunscreen for the face',
    'sunscreen-body': 'sunscreen for the body',
    'sunscreen-spray': 'sunscreen spray',
    'self-tanning-face': 'self-tanning for the face',
    'self-tanning-body': 'self-tanning for the body',
    deodorant: 'deodorant',
    'deodorant-spray': 'deodorant spray',
    fragrance: 'fragrance product',
    shampoo: 'shampoo',
    'anti-dandruff-shampoo': 'anti-dandruff shampoo',
    'hair-rinse-off': 'hair, rinse-off',
    'hair-leave-on': 'hair, leave-on',
    'hair-spray': 'hair spray',
    'hair-dye': 'hair dye',
    'hair-straightening': 'hair straightening',
    nail: 'nail product',
    toothpaste: 'toothpaste',
    mouthwash: 'mouthwash',
    'baby-leave-on': 'baby, leave-on',
    'baby-rinse-off': 'baby, rinse-off',
    'intimate-leave-on': 'intimate area, leave-on',
  },
};

/** Topics that a comparison of shares with a table says nothing of. */
export const UNEXAMINED_TOPICS = [
  'impurities',
  'extract-constituents',
  'outside-annexes',
  'conditions',
  'cmr',
  'nano-notification',
  'ph',
  'packaging',
] as const;
export type UnexaminedTopic = (typeof UNEXAMINED_TOPICS)[number];

interface ScreeningWords {
  results: {
    noData: string;
    noEntryMatched: string;
    prohibited: string;
    aboveLimit: (entry: string, productType: string) => string;
    notAboveLimit: (entry: string, productType: string, conditions: string) => string;
    listedForOtherUses: string;
    cannotBeJudged: (missing: string) => string;
    declare: string;
    noFinding: (unmatched: number) => string;
  };
  missing: Record<MissingInformation, string>;
  notes: Record<FindingNote, string>;
  reasons: Record<UnexaminedPart['reason'], string>;
  topics: Record<UnexaminedTopic, string>;
  noConditions: string;
  noProductType: string;
  noEdition: string;
  listSeparator: string;
  title: string;
  fileName: string;
  facts: Record<
    | 'formula'
    | 'version'
    | 'region'
    | 'productType'
    | 'purpose'
    | 'on'
    | 'edition'
    | 'imported'
    | 'annexes'
    | 'total'
    | 'summary'
    | 'unmatched'
    | 'refusedRows'
    | 'unknown',
    string
  >;
  tables: Record<'results' | 'unexamined' | 'upcoming', string>;
  columns: Record<
    | 'result'
    | 'entry'
    | 'substance'
    | 'amount'
    | 'limit'
    | 'basis'
    | 'scope'
    | 'conditions'
    | 'lines'
    | 'notes'
    | 'source'
    | 'region'
    | 'edition'
    | 'editionDate'
    | 'productType'
    | 'kind'
    | 'reason'
    | 'validFrom',
    string
  >;
  basisIsSubstance: string;
  nano: string;
  leftOut: (shown: number, all: number) => string;
  upcomingLeftOut: (shown: number, all: number) => string;
  notExamined: string;
  closing: (date: string) => string;
}

export const SCREENING_WORDS: Readonly<Record<DocumentLanguage, ScreeningWords>> = {
  zh: {
    results: {
      noData: '未载入数据',
      noEntryMatched: '载入的表中没有与该成分匹配的条目',
      prohibited: '与禁用物质清单中的条目匹配',
      aboveLimit: (entry, productType) => `高于条目 ${entry} 对产品类型“${productType}”的限值`,
      notAboveLimit: (entry, productType, conditions) =>
        `未高于条目 ${entry} 对产品类型“${productType}”的限值；其他条件：${conditions}`,
      listedForOtherUses: '仅列于其他用途或产品类型',
      cannotBeJudged: (missing) => `无法判定：缺少${missing}`,
      declare: '超过阈值，须在标签上标注',
      noFinding: (unmatched) => `载入的数据中没有发现；${unmatched} 个成分没有匹配的条目`,
    },
    missing: { 'product-type': '产品类型', purpose: '用途', basis: '计量基准', composition: '组成' },
    notes: {
      'maximum-of-range': '含量为区间，按最大值计算',
      'own-basis': '该物质本身即限值的计量基准，系数为 1',
      'factor-of-table': '含量已乘以表中的换算系数',
      'not-converted': '含量为配方中的含量，未换算为限值的计量基准',
      'counted-together': '多种物质合并计算',
      'known-part-above': '仅计量基准已知的部分就已高于限值',
      'sum-not-stated': '合计高于该数值，但该行未说明这些物质是否合并计算',
      'no-number': '表中没有数值',
      'other-form': '物质为纳米形式，该条目未列出纳米形式',
      'several-purposes': '不同用途的条目结果不一致，请给出用途',
    },
    reasons: {
      blend: '复配原料，未录入组成',
      hidden: '您无权查看该原料',
      fragrance: '香精，未录入组成',
      'fragrance-rest': '香精组成中未列明的其余部分',
    },
    topics: {
      impurities: '原料的纯度和杂质（仅计入组成中列明的杂质）',
      'extract-constituents': '植物提取物和精油中未录入的成分',
      'outside-annexes': '载入的附表以外的一切规定',
      conditions: '各行的其他条件，包括与其他条目不得同用的规定',
      cmr: '致癌、致突变和生殖毒性物质（CMR）的规定',
      'nano-notification': '纳米材料的通报',
      ph: 'pH 值',
      packaging: '包装',
    },
    noConditions: '载入的表中没有',
    noProductType: '未给出',
    noEdition: '（未载入数据）',
    listSeparator: '、',
    title: '限值比对',
    fileName: '限值比对',
    facts: {
      formula: '配方',
      version: '版本',
      region: '地区',
      productType: '假定的产品类型',
      purpose: '用途',
      on: '日期',
      edition: '限值表',
      imported: '载入日期',
      annexes: '其中的附表',
      total: '配方合计（%）',
      summary: '最严重的结果',
      unmatched: '没有匹配条目的成分数',
      refusedRows: '载入时被拒绝的行数',
      unknown: '组成未知的部分（%）',
    },
    tables: { results: '结果', unexamined: '组成未知、未检查的部分', upcoming: '日后生效的行' },
    columns: {
      result: '结果',
      entry: '条目',
      substance: '物质',
      amount: '采用的含量（%）',
      limit: '限值原文',
      basis: '计量基准',
      scope: '适用范围原文',
      conditions: '条件原文',
      lines: '来源',
      notes: '说明',
      source: '出处',
      region: '地区',
      edition: '限值表',
      editionDate: '载入日期',
      productType: '产品类型',
      kind: '类别',
      reason: '原因',
      validFrom: '生效日期',
    },
    basisIsSubstance: '物质本身',
    nano: '纳米',
    leftOut: (shown, all) => `共 ${all} 条结果，此处显示最严重的 ${shown} 条。`,
    upcomingLeftOut: (shown, all) => `日后生效的行共 ${all} 条，此处显示前 ${shown} 条。`,
    notExamined: '未检查：',
    closing: (date) =>
      `与 ${date} 载入的限值表比对。不构成法律意见，也不是安全评估。以法规正式文本为准，由有资质的人员判定。`,
  },
  en: {
    results: {
      noData: 'no data loaded',
      noEntryMatched: 'no loaded entry matched this ingredient',
      prohibited: 'matches an entry of the list of prohibited substances',
      aboveLimit: (entry, productType) => `above the limit of entry ${entry} for product type ${productType}`,
      notAboveLimit: (entry, productType, conditions) =>
        `not above the limit of entry ${entry} for product type ${productType}; further conditions: ${conditions}`,
      listedForOtherUses: 'listed only for other uses or product types',
      cannotBeJudged: (missing) => `cannot be judged: ${missing} missing`,
      declare: 'declare on the label above the threshold',
      noFinding: (unmatched) =>
        `no finding in the loaded data; ingredients that no entry matched: ${unmatched}`,
    },
    missing: {
      'product-type': 'product type',
      purpose: 'purpose',
      basis: 'basis',
      composition: 'composition',
    },
    notes: {
      'maximum-of-range': 'The share is a range; its maximum is used',
      'own-basis': 'The substance is itself what the limit counts: factor 1',
      'factor-of-table': 'The share is multiplied by the factor of the table',
      'not-converted': 'The amount is that in the formula, not on the basis of the limit',
      'counted-together': 'Several substances are counted together',
      'known-part-above': 'The part whose basis is known is above the limit by itself',
      'sum-not-stated':
        'Together they are above the number; the row does not say whether these substances count together',
      'no-number': 'The table gives no number',
      'other-form': 'The substance is in the nano form, which the entry does not name',
      'several-purposes': 'Entries for different purposes have different results; give the purpose',
    },
    reasons: {
      blend: 'blend without a composition',
      hidden: 'you may not see this raw material',
      fragrance: 'fragrance without a composition',
      'fragrance-rest': 'rest of a fragrance that its composition does not name',
    },
    topics: {
      impurities: 'purity and impurities of raw materials, except those that a composition names',
      'extract-constituents': 'constituents of extracts and essential oils that no composition names',
      'outside-annexes': 'everything outside the loaded annexes',
      conditions: 'the further conditions of each row, such as substances that exclude each other',
      cmr: 'the rules on substances that cause cancer, mutations or harm to reproduction (CMR)',
      'nano-notification': 'the notification of nanomaterials',
      ph: 'the pH',
      packaging: 'the packaging',
    },
    noConditions: 'none in the loaded table',
    noProductType: 'not given',
    noEdition: '(no data loaded)',
    listSeparator: ', ',
    title: 'Comparison with limits',
    fileName: 'screening',
    facts: {
      formula: 'Formula',
      version: 'Version',
      region: 'Region',
      productType: 'Product type assumed',
      purpose: 'Purpose',
      on: 'Day',
      edition: 'Table of limits',
      imported: 'Loaded on',
      annexes: 'Annexes in it',
      total: 'Total of the formula (%)',
      summary: 'Worst result',
      unmatched: 'Ingredients that no entry matched',
      refusedRows: 'Rows refused when it was loaded',
      unknown: 'Part of unknown composition (%)',
    },
    tables: {
      results: 'Results',
      unexamined: 'Parts of unknown composition, not examined',
      upcoming: 'Rows that begin later',
    },
    columns: {
      result: 'Result',
      entry: 'Entry',
      substance: 'Substance',
      amount: 'Amount used (%)',
      limit: 'Limit as written',
      basis: 'Basis',
      scope: 'Scope as written',
      conditions: 'Conditions as written',
      lines: 'Comes from',
      notes: 'Remarks',
      source: 'Source',
      region: 'Region',
      edition: 'Table',
      editionDate: 'Loaded on',
      productType: 'Product type',
      kind: 'Kind',
      reason: 'Reason',
      validFrom: 'Begins on',
    },
    basisIsSubstance: 'the substance itself',
    nano: 'nano',
    leftOut: (shown, all) => `Of ${all} results, the ${shown} worst are shown.`,
    upcomingLeftOut: (shown, all) => `Of ${all} rows that begin later, the first ${shown} are shown.`,
    notExamined: 'Not examined:',
    closing: (date) =>
      `Comparison with the loaded table of ${date}. Not legal advice and not a safety assessment. The authentic legal texts and a qualified person decide.`,
  },
};
