import { defineTexts } from '../platform/texts/define-texts';

/** The texts of pages and files with the list of ingredients for a label, and of its problems. */
export const labelTexts = defineTexts({
  'declaration.title': ['标签成分表（草稿）', 'Ingredient list for the label (draft)'],
  'declaration.file-name': ['成分表', 'ingredient-list'],
  'declaration.formula': ['配方', 'Formula'],
  'declaration.version': ['版本', 'Version'],
  'declaration.region': ['地区', 'Region'],
  'declaration.product-type': ['产品类型', 'Product type'],
  'declaration.heading': ['标题词', 'Heading'],
  'declaration.text': ['标签文字', 'Label text'],
  'declaration.total': ['配方合计（%）', 'Total of the formula (%)'],
  'declaration.complete': ['名称齐全', 'All names known'],
  'declaration.yes': ['是', 'yes'],
  'declaration.no': ['否，见“待处理”', 'no, see “To be settled”'],
  'declaration.region.eu': ['欧盟', 'European Union'],
  'declaration.region.us': ['美国', 'United States'],
  'declaration.region.cn': ['中国', 'China'],
  'declaration.entries': ['成分', 'Ingredients'],
  'declaration.problems': ['待处理', 'To be settled'],
  'declaration.undeclared': ['不标注的物质', 'Substances not named'],
  'declaration.position': ['序号', 'No.'],
  'declaration.group': ['分组', 'Group'],
  'declaration.name': ['标注名称', 'Name on the label'],
  'declaration.inci-name': ['INCI 名称', 'INCI name'],
  'declaration.percentage': ['含量（%）', 'Share (%)'],
  'declaration.min-percentage': ['最低（%）', 'Lowest (%)'],
  'declaration.max-percentage': ['最高（%）', 'Highest (%)'],
  'declaration.counted-in-fragrance': ['计入香精或提取物（%）', 'In fragrance or extract (%)'],
  'declaration.lines': ['来源', 'Comes from'],
  'declaration.message': ['说明', 'Explanation'],
  'declaration.reason': ['原因', 'Reason'],
  'declaration.group.descending': ['降序', 'descending'],
  'declaration.group.below-one-percent': ['低于 1%', 'below 1 %'],
  'declaration.group.colorants': ['着色剂', 'colorants'],
  'declaration.group.trace': ['其他微量成分', 'trace'],
  'declaration.reason.impurity': ['原料杂质', 'impurity of a raw material'],
  'declaration.reason.processing-aid': [
    '不存在于成品中的加工助剂',
    'processing aid that is not present in the product',
  ],
  'declaration.reason.allergen-not-above-threshold': [
    '致敏物未超过标注限值',
    'allergen that does not exceed the threshold',
  ],
  'declaration.problem.composition-unknown': [
    '名称为复配原料（几种物质），但未录入其组成，不作推测',
    'The name is that of a blend whose composition is not given; it is not split by guess',
  ],
  'declaration.problem.ingredient-hidden': [
    '您无权查看该原料，其组成未知',
    'You may not see this raw material, so its composition is unknown',
  ],
  'declaration.problem.allergens-unknown': [
    '该香精、精油或提取物的组成未录入，或其中未标明致敏物，致敏物未知',
    'No composition of this fragrance, essential oil or extract is given, or none of its substances is marked as an allergen, so its allergens are unknown',
  ],
  'declaration.problem.allergen-role-unknown': [
    '该物质在香精中，含量超过致敏物标注限值，但未填写角色，可能是致敏物：请填写 fragrance-allergen 或其他角色',
    'The substance is in a fragrance, above the threshold of allergens and without a role, so it may be an allergen: give it the role fragrance-allergen or another',
  ],
  'declaration.problem.allergen-name-unknown': [
    '该致敏物的名称不在已知的欧盟致敏物名称之中，可能须以组名标注，并与同组物质合并计算',
    'The name is none of the known names of allergens in the EU, so the allergen may have to be declared under the name of a group, with the others of that group',
  ],
  'declaration.problem.no-inci-name': [
    '名称为中文，没有 INCI 名称',
    'The name is Chinese; there is no INCI name',
  ],
  'declaration.problem.no-chinese-name': ['没有标准中文名称', 'There is no standard Chinese name'],
  'declaration.problem.several-chinese-names': [
    '同一物质有多个中文名称，采用第一个',
    'One substance has several Chinese names; the first is used',
  ],
  'declaration.problem.same-chinese-name': [
    '不同的物质有同一个中文名称，在表中成为一项：请更正中文名称',
    'Different substances have one Chinese name and are one entry: correct the Chinese names',
  ],
  'declaration.problem.no-ci-number': [
    '原料类别或角色为着色剂，但没有 CI 号：着色剂请填写 CI 号；染发产品请选择产品类型 hair-dye；非着色用途请更改类别',
    'It is a colorant by its category or role, and has no Colour Index number: give the number; for a hair dye choose the product type hair-dye; if it does not colour the product, change the category',
  ],
  'declaration.problem.ci-number-only': [
    '美国标签不使用 CI 号，请填写其美国名称',
    'US labels do not use Colour Index numbers: give its name in the United States',
  ],
  'declaration.problem.trade-name': [
    '名称是商品名或俗名，不是标准名称',
    'The name is a trade or everyday name, not a standard one',
  ],
  'declaration.problem.macrogol-by-mass': [
    '供应商按分子量、INCI 名称按聚合度编号：请确认是哪一种',
    'Suppliers number it by its mass, INCI names by its units: check which number this is',
  ],
  'declaration.problem.fragrance-unclear': [
    '类别为香精，但名称不是香精名称，也没有 CAS 号：如为香精，请录入其组成并填写角色；如为单一物质，请填写 CAS 号或更改类别',
    'The category is fragrance, the name is none of a perfume, and there is no CAS number: if it is a perfume, give its composition with roles; if it is this substance, give the CAS number or change the category',
  ],
  'declaration.problem.latin-name': [
    '美国标签使用英文名称，不使用该拉丁名',
    'US labels have an English name instead of this Latin one',
  ],
  'declaration.problem.latin-plant-name': [
    '美国标签在植物拉丁名后的括号内加注英文名（如有），例如 Olea Europaea (Olive) Fruit Oil',
    'US labels have the English name of a plant in brackets where it has one: Olea Europaea (Olive) Fruit Oil',
  ],
  'declaration.problem.over-the-counter-drug': [
    '可能是美国非处方药的活性成分：此类产品属于药品，活性成分须单独列在最前',
    'It may be the active ingredient of an over-the-counter drug of the United States: such a product is a drug, and its label has the active ingredients first, on their own',
  ],
  'range.title': ['色号系列标签成分表（草稿）', 'Ingredient list for a range of shades (draft)'],
  'range.no-label': [
    '配方之间的差异不只是着色剂，不能共用一个标签',
    'The formulas differ in more than colorants: there is no common label',
  ],
  'range.shades': ['色号', 'Shades'],
  'range.colorants': ['着色剂', 'Colorants'],
  'range.differences': ['差异', 'Differences'],
  'range.kind.not-in-all': ['部分配方不含', 'not in all formulas'],
  'range.kind.order': ['各配方的顺序不一致', 'no order of the list is right for all formulas'],
  'range.kind.trace': ['只在部分配方中超过 0.1%', 'above 0.1 % in some formulas only'],
  'declaration.basis': [
    '区间先按各物质合计为 100% 收窄。顺序以及 1%（欧盟、美国）和 0.1%（中国）的界限按区间的中值，致敏物的标注限值按区间的最高值。',
    'Ranges are first narrowed to what the rest of the composition leaves. The order and the bounds of 1 % (EU, US) and 0.1 % (China) go by the middle of a range, the threshold of allergens by its maximum.',
  ],
  'declaration.fragrance': [
    '香精的含量包括其中的致敏物。',
    'The share of the fragrance includes its allergens.',
  ],
  'declaration.closing': [
    '本成分表为草稿，须由有资质的人员核对。不构成法律意见，也不是安全评估。',
    'Draft, to be checked by a qualified person. Not legal advice and not a safety assessment.',
  ],
});
