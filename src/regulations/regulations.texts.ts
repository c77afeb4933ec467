import { defineTexts } from '../platform/texts/define-texts';

/** Why rows of a table of limits are not taken. */
const REFUSALS = {
  'limit-refusal.unreadable-cell': ['单元格无法读取', 'a cell cannot be read'],
  'limit-refusal.unknown-columns': [
    '表头不是已知的限值表格式',
    'the columns are those of no known table of limits',
  ],
  'limit-refusal.annex-unknown': [
    '该行及表头上方均未注明附录',
    'neither the row nor the lines above the header name the annex',
  ],
  'limit-refusal.region-missing': ['缺少地区', 'the region is missing'],
  'limit-refusal.entry-missing': ['缺少序号', 'the entry is missing'],
  'limit-refusal.source-missing': ['缺少来源', 'the source is missing'],
  'limit-refusal.too-long': ['单元格内容过长', 'the cell is too long'],
  'limit-refusal.moved-or-deleted': ['该条目已移动或删除', 'the entry was moved or deleted'],
  'limit-refusal.no-name-and-no-cas': [
    'INCI 名称和 CAS 号均为空',
    'there is neither an INCI name nor a CAS number',
  ],
  'limit-refusal.wrong-cas-number': [
    'CAS 号格式或校验位有误',
    'this is no CAS number, or its check digit is wrong',
  ],
  'limit-refusal.unknown-kind': [
    '类型必须是 prohibited、maximum、declare-above 或 permitted-only',
    'the kind is none of prohibited, maximum, declare-above, permitted-only',
  ],
  'limit-refusal.limit-missing': ['没有限值数字', 'there is no number'],
  'limit-refusal.limit-of-prohibited': ['禁用物质不应有限值', 'a prohibited substance has no limit'],
  'limit-refusal.not-one-number': [
    '限值不是不超过100%的单个数字',
    'the limit is not one number of at most 100 percent',
  ],
  'limit-refusal.not-a-factor': [
    '系数不是大于0的数字(小数点用点号)',
    'the factor is not a number above 0 with a decimal point',
  ],
  'limit-refusal.two-numbers': ['限值包含多个数字', 'the limit has several numbers'],
  'limit-refusal.ambiguous-comma': [
    '逗号可能是小数点,也可能是千分位',
    'the comma could be a decimal comma or between thousands',
  ],
  'limit-refusal.number-in-other-column': [
    '数字写在说明栏而不在限值栏',
    'the number is in a column of words, not in that of the limit',
  ],
  'limit-refusal.words-only': ['规定仅为文字,没有百分比', 'the rule is given in words, without a percentage'],
  'limit-refusal.scope-in-limit': ['限值单元格中写有产品类型', 'the cell of the limit names a product type'],
  'limit-refusal.tiers-do-not-pair': [
    '产品类型与限值的分项字母不对应',
    'the letters of the product types and of the limits do not pair up',
  ],
  'limit-refusal.unknown-unit': ['无法识别限值的计量形式', 'it is not known which form the limit counts'],
  'limit-refusal.duty-of-one-tier': [
    '标注义务仅适用于部分产品类型',
    'the duty to declare belongs to some of the product types only',
  ],
  'limit-refusal.not-a-date': ['不是有效日期,格式如 2026-12-31', 'this is no day, such as 2026-12-31'],
  'limit-refusal.reversed-dates': ['结束日期早于开始日期', 'it ends before it begins'],
} as const;

export const refusalText = defineTexts(REFUSALS);

export type RefusalCode = keyof typeof REFUSALS extends `limit-refusal.${infer Code}` ? Code : never;

export const REFUSAL_CODES = Object.keys(REFUSALS).map((code) => code.slice('limit-refusal.'.length));

/** The pages and files that compare a formula with a table of limits. */
export const regulationTexts = defineTexts({
  // Results of a screening.
  'screening.result.no-data': ['未载入数据', 'no data loaded'],
  'screening.result.no-entry-matched': [
    '载入的表中没有与该成分匹配的条目',
    'no loaded entry matched this ingredient',
  ],
  'screening.result.prohibited': [
    '与禁用物质清单中的条目匹配',
    'matches an entry of the list of prohibited substances',
  ],
  'screening.result.above-limit': [
    '高于条目 {entries} 对产品类型“{type}”的限值',
    'above the limit of entry {entries} for product type {type}',
  ],
  'screening.result.not-above-limit': [
    '未高于条目 {entries} 对产品类型“{type}”的限值；其他条件：{conditions}',
    'not above the limit of entry {entries} for product type {type}; further conditions: {conditions}',
  ],
  'screening.result.listed-for-other-uses': [
    '仅列于其他用途或产品类型',
    'listed only for other uses or product types',
  ],
  'screening.result.cannot-be-judged': ['无法判定：缺少{missing}', 'cannot be judged: {missing} missing'],
  'screening.result.declare': ['超过阈值，须在标签上标注', 'declare on the label above the threshold'],
  'screening.result.no-finding': [
    '载入的数据中没有发现；{count} 个成分没有匹配的条目',
    'no finding in the loaded data; ingredients that no entry matched: {count}',
  ],
  'screening.missing.product-type': ['产品类型', 'product type'],
  'screening.missing.scope': ['条目的确切适用范围', 'certain scope of the entry'],
  'screening.missing.conditions': ['对喷雾吸入条件的判断', 'judgement of the condition about inhalation'],
  'screening.missing.refused-row': [
    '载入时被拒绝的条目',
    'an entry that was refused when the table was loaded is',
  ],
  'screening.missing.purpose': ['用途', 'purpose'],
  'screening.missing.mixture': ['混合对象及其组成', 'what it is mixed with, and its composition'],
  'screening.missing.basis': ['计量基准', 'basis'],
  'screening.missing.composition': ['组成', 'composition'],
  'screening.note.maximum-of-range': [
    '含量为区间，按最大值计算',
    'The share is a range; its maximum is used',
  ],
  'screening.note.after-mixing': ['按使用前的混合物计算', 'The amount is that of the mixture before use'],
  'screening.note.own-basis': [
    '该物质本身即限值的计量基准，系数为 1',
    'The substance is itself what the limit counts: factor 1',
  ],
  'screening.note.factor-of-table': [
    '含量已乘以表中的换算系数',
    'The share is multiplied by the factor of the table',
  ],
  'screening.note.shipped-factor': [
    '含量已乘以随附的换算系数(按摩尔质量计算)',
    'The share is multiplied by the shipped factor, a ratio of molar masses',
  ],
  'screening.note.not-converted': [
    '含量为配方中的含量，未换算为限值的计量基准',
    'The amount is that in the formula, not on the basis of the limit',
  ],
  'screening.note.counted-together': ['多种物质合并计算', 'Several substances are counted together'],
  'screening.note.known-part-above': [
    '仅计量基准已知的部分就已高于限值',
    'The part whose basis is known is above the limit by itself',
  ],
  'screening.note.sum-not-stated': [
    '合计高于该数值，但该行未说明这些物质是否合并计算',
    'Together they are above the number; the row does not say whether these substances count together',
  ],
  'screening.note.no-number': ['表中没有数值', 'The table gives no number'],
  'screening.note.other-form': [
    '物质为纳米形式，该条目未列出纳米形式',
    'The substance is in the nano form, which the entry does not name',
  ],
  'screening.note.several-purposes': [
    '不同用途的条目结果不一致，请给出用途',
    'Entries for different purposes have different results; give the purpose',
  ],
  'screening.reason.blend': ['复配原料，未录入组成', 'blend without a composition'],
  'screening.reason.hidden': ['您无权查看该原料', 'you may not see this raw material'],
  'screening.reason.fragrance': ['香精，未录入组成', 'fragrance without a composition'],
  'screening.reason.fragrance-rest': [
    '香精组成中未列明的其余部分',
    'rest of a fragrance that its composition does not name',
  ],
  'screening.topic.impurities': [
    '原料的纯度和杂质（仅计入组成中列明的杂质）',
    'purity and impurities of raw materials, except those that a composition names',
  ],
  'screening.topic.extract-constituents': [
    '植物提取物和精油中未录入的成分',
    'constituents of extracts and essential oils that no composition names',
  ],
  'screening.topic.outside-annexes': ['载入的附表以外的一切规定', 'everything outside the loaded annexes'],
  'screening.topic.conditions': [
    '各行的其他条件，包括与其他条目不得同用的规定',
    'the further conditions of each row, such as substances that exclude each other',
  ],
  'screening.topic.cmr': [
    '致癌、致突变和生殖毒性物质（CMR）的规定',
    'the rules on substances that cause cancer, mutations or harm to reproduction (CMR)',
  ],
  'screening.topic.nano-notification': ['纳米材料的通报', 'the notification of nanomaterials'],
  'screening.topic.ph': ['pH 值', 'the pH'],
  'screening.topic.packaging': ['包装', 'the packaging'],
  // Limits within which a solution stays.
  'screening.limit': ['条目 {entries}：{names} 不超过 {max}', 'Entry {entries}: at most {max} of {names}'],
  'screening.prohibited': ['条目 {entries}：{names} 禁用', 'Entry {entries}: {names} prohibited'],
  // Its page and files.
  'screening.no-conditions': ['载入的表中没有', 'none in the loaded table'],
  'screening.no-product-type': ['未给出', 'not given'],
  'screening.no-edition': ['（未载入数据）', '(no data loaded)'],
  'screening.title': ['限值比对', 'Comparison with limits'],
  'screening.file-name': ['限值比对', 'screening'],
  'screening.basis-is-substance': ['物质本身', 'the substance itself'],
  'screening.nano': ['纳米', 'nano'],
  'screening.unscaled': [
    '配方各成分合计为 {total}%，比对按录入的百分比进行，未换算到 100%。',
    'The percentages of the formula add up to {total}%; they are compared as entered, not scaled to 100%.',
  ],
  'screening.refused-entry': [
    '载入时第 {row} 行“{name}”被拒绝（{message}）；可能涉及的成分：{substances}',
    'Row {row}, {name}, was refused when the table was loaded ({message}); substances that it may name: {substances}',
  ],
  'screening.not-examined': ['未检查：', 'Not examined:'],
  'screening.left-out': [
    '共 {all} 条结果，此处显示最严重的 {shown} 条。',
    'Of {all} results, the {shown} worst are shown.',
  ],
  'screening.upcoming-left-out': [
    '日后生效的行共 {all} 条，此处显示前 {shown} 条。',
    'Of {all} rows that begin later, the first {shown} are shown.',
  ],
  'screening.closing': [
    '与 {day} 载入的限值表比对。不构成法律意见，也不是安全评估。以法规正式文本为准，由有资质的人员判定。',
    'Comparison with the loaded table of {day}. Not legal advice and not a safety assessment. The authentic legal texts and a qualified person decide.',
  ],
  'screening.fact.formula': ['配方', 'Formula'],
  'screening.fact.version': ['版本', 'Version'],
  'screening.fact.region': ['地区', 'Region'],
  'screening.fact.product-type': ['假定的产品类型', 'Product type assumed'],
  'screening.fact.mixture': ['使用前混合', 'Mixed before use'],
  'screening.mixture.composition': [
    '{name}（第 {version} 版），1 : {ratio}',
    '{name} (version {version}), 1 : {ratio}',
  ],
  'screening.mixture.known-part': [
    '{name}（第 {version} 版），1 : {ratio}；部分组成未知',
    '{name} (version {version}), 1 : {ratio}; a part of its composition is not known',
  ],
  'screening.mixture.dilution': [
    '{name}，1 : {ratio}；假定不含列出的物质',
    '{name}, 1 : {ratio}; assumed to contain none of the listed substances',
  ],
  'screening.mixture.deleted': [
    '{name}（已删除），1 : {ratio}；组成未知',
    '{name} (deleted), 1 : {ratio}; its composition is not known',
  ],
  'screening.mixture.hidden': ['无权查看的配方，1 : {ratio}', 'a formula that you may not see, 1 : {ratio}'],
  'screening.fact.purpose': ['用途', 'Purpose'],
  'screening.fact.on': ['日期', 'Day'],
  'screening.fact.edition': ['限值表', 'Table of limits'],
  'screening.fact.imported': ['载入日期', 'Loaded on'],
  'screening.fact.annexes': ['其中的附表', 'Annexes in it'],
  'screening.fact.total': ['配方合计（%）', 'Total of the formula (%)'],
  'screening.fact.summary': ['最严重的结果', 'Worst result'],
  'screening.fact.unmatched': ['没有匹配条目的成分数', 'Ingredients that no entry matched'],
  'screening.fact.refused-rows': ['载入时被拒绝的行数', 'Rows refused when it was loaded'],
  'screening.fact.unknown': ['组成未知的部分（%）', 'Part of unknown composition (%)'],
  'screening.table.results': ['结果', 'Results'],
  'screening.table.unexamined': ['组成未知、未检查的部分', 'Parts of unknown composition, not examined'],
  'screening.table.upcoming': ['日后生效的行', 'Rows that begin later'],
  'screening.column.result': ['结果', 'Result'],
  'screening.column.entry': ['条目', 'Entry'],
  'screening.column.substance': ['物质', 'Substance'],
  'screening.column.amount': ['采用的含量（%）', 'Amount used (%)'],
  'screening.column.limit': ['限值原文', 'Limit as written'],
  'screening.column.basis': ['计量基准', 'Basis'],
  'screening.column.scope': ['适用范围原文', 'Scope as written'],
  'screening.column.conditions': ['条件原文', 'Conditions as written'],
  'screening.column.lines': ['来源', 'Comes from'],
  'screening.column.notes': ['说明', 'Remarks'],
  'screening.column.source': ['出处', 'Source'],
  'screening.column.region': ['地区', 'Region'],
  'screening.column.edition': ['限值表', 'Table'],
  'screening.column.edition-date': ['载入日期', 'Loaded on'],
  'screening.column.product-type': ['产品类型', 'Product type'],
  'screening.column.reason': ['原因', 'Reason'],
  'screening.column.valid-from': ['生效日期', 'Begins on'],
});
