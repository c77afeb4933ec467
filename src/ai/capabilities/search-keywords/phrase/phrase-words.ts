import type { FunctionCategory } from '../../../../ingredients/function-category';

/*
 * The words by which a phrase says what kind of formula it is about. Data only, in the form of `plainKey`.
 */

/** Kinds and effects of products: what is written in a phrase, and what stands for it in texts. */
export const PRODUCT_WORDS: readonly (readonly [written: readonly string[], found: readonly string[]])[] = [
  [
    ['精华', '精华液', 'serum', 'serums'],
    ['精华', 'serum'],
  ],
  [
    ['霜', '乳霜', 'cream', 'creams', 'creme'],
    ['霜', 'cream', 'creme'],
  ],
  [
    ['面霜', '脸霜', 'face cream'],
    ['面霜', 'cream'],
  ],
  [
    ['眼霜', 'eye cream'],
    ['眼霜', 'eye cream'],
  ],
  [
    ['乳液', 'lotion', 'lotions'],
    ['乳液', '身体乳', '防晒乳', 'lotion'],
  ],
  [
    ['身体乳', 'body lotion'],
    ['身体乳', 'body lotion'],
  ],
  [
    ['爽肤水', '化妆水', '柔肤水', '护肤水', 'toner', 'toners'],
    ['爽肤水', '化妆水', '柔肤水', 'toner'],
  ],
  [
    ['洁面', '洁面乳', '洗面奶', '洁面膏', 'cleanser', 'cleansers', 'face wash'],
    ['洁面', '洗面奶', 'cleanser', 'face wash'],
  ],
  [
    ['面膜', 'mask', 'masks'],
    ['面膜', 'mask'],
  ],
  [
    ['凝胶', '啫喱', 'gel', 'gels'],
    ['凝胶', '啫喱', 'gel'],
  ],
  [
    ['喷雾', 'spray', 'mist'],
    ['喷雾', 'spray', 'mist'],
  ],
  [
    ['洗发水', '洗发露', '洗发香波', 'shampoo', 'shampoos'],
    ['洗发', 'shampoo'],
  ],
  [
    ['护发素', 'conditioner'],
    ['护发素', 'conditioner'],
  ],
  [
    ['沐浴露', '沐浴乳', 'shower gel', 'body wash'],
    ['沐浴', 'shower gel', 'body wash'],
  ],
  [
    ['卸妆', '卸妆油', '卸妆水', 'makeup remover'],
    ['卸妆', 'makeup remover'],
  ],
  [
    ['精油', 'essential oil'],
    ['精油', 'essential oil'],
  ],
  [
    ['口红', '唇膏', 'lipstick'],
    ['口红', '唇膏', 'lipstick'],
  ],
  [
    ['粉底', '粉底液', 'foundation'],
    ['粉底', 'foundation'],
  ],
  [
    ['美白', '亮肤', 'whitening', 'brightening'],
    ['美白', '亮肤', 'whitening', 'brightening'],
  ],
  [
    ['保湿', '补水', 'moisturizing', 'moisturising', 'hydrating'],
    ['保湿', '补水', 'moisturi', 'hydrating'],
  ],
  [
    ['舒缓', '舒敏', 'soothing', 'calming'],
    ['舒缓', '舒敏', 'soothing', 'calming'],
  ],
  [
    ['修护', '修复', 'repair', 'repairing'],
    ['修护', '修复', 'repair'],
  ],
  [
    ['抗皱', '抗老', '抗衰', 'antiaging', 'anti-aging', 'antiwrinkle', 'anti-wrinkle'],
    ['抗皱', '抗老', '抗衰', 'anti-aging', 'anti-wrinkle'],
  ],
  [['控油'], ['控油']],
  [
    ['祛痘', 'anti-acne', 'acne'],
    ['祛痘', 'acne'],
  ],
  [['清爽'], ['清爽']],
  [
    ['滋润', 'nourishing'],
    ['滋润', 'nourishing'],
  ],
];

/** Functions of ingredients: what is written, and what stands for them in texts. */
export const CATEGORY_WORDS: readonly (readonly [
  category: FunctionCategory,
  written: readonly string[],
  found: readonly string[],
])[] = [
  [
    'sunscreen',
    ['防晒', '防晒剂', 'sunscreen', 'sunscreens', 'sunblock', 'uv filter', 'uv filters', 'spf'],
    ['防晒', 'sunscreen', 'sunblock', 'spf'],
  ],
  ['preservative', ['防腐剂', 'preservative', 'preservatives'], ['防腐剂', 'preservative']],
  [
    'fragrance',
    ['香精', '香料', 'fragrance', 'fragrances', 'perfume', 'parfum'],
    ['香精', '香料', 'fragrance', 'parfum'],
  ],
  [
    'colorant',
    ['色素', '着色剂', 'colorant', 'colorants', 'colourant', 'dye', 'dyes', 'pigment', 'pigments'],
    ['色素', 'colorant', 'pigment'],
  ],
  ['emulsifier', ['乳化剂', 'emulsifier', 'emulsifiers'], ['乳化剂', 'emulsifier']],
  ['humectant', ['保湿剂', 'humectant', 'humectants'], ['保湿剂', 'humectant']],
  ['thickener', ['增稠剂', 'thickener', 'thickeners'], ['增稠剂', 'thickener']],
  ['antioxidant', ['抗氧化剂', 'antioxidant', 'antioxidants'], ['抗氧化剂', 'antioxidant']],
  ['surfactant', ['表面活性剂', '表活', 'surfactant', 'surfactants'], ['表面活性剂', 'surfactant']],
  ['emollient', ['润肤剂', 'emollient', 'emollients'], ['润肤剂', 'emollient']],
  ['ph_adjuster', ['ph调节剂', 'ph adjuster'], ['ph调节剂', 'ph adjuster']],
];

/** What stands behind it must not be in the formula, whatever it is. */
export const EXCLUDING = [
  ...[
    '不含',
    '不含有',
    '不包含',
    '不添加',
    '不加',
    '未添加',
    '没有',
    '不要',
    '不用',
    '不使用',
    '排除',
    '剔除',
    '去除',
    '不能有',
  ],
  ...[
    'without',
    'without any',
    'no',
    'free of',
    'free from',
    'excluding',
    'except',
    'does not contain',
    'not containing',
  ],
  ...[
    'do not contain',
    'not contain',
    'no added',
    'without added',
    'zero',
    'avoid',
    'avoiding',
    'minus',
    'not with',
  ],
  ...'不得含, 不得含有, 不可含, 不可含有, 不能含, 不能含有, 不应含, 不应含有'.split(', '),
  ...'不得添加, 不能添加, 没有添加, 不带, 别加, 别含, 勿加, 勿含, 既无, 又无'.split(', '),
  ...'也无, 避免, 拒绝, 禁用, 禁止, 除了'.split(', '),
  ..."neither, lacking, devoid of, never, not, not any, doesn't contain, don't contain, cannot contain".split(
    ', ',
  ),
  ..."can't contain, must not contain, should not contain, does not include, doesn't include".split(', '),
  ..."not include, not including, does not have, doesn't have, exclude, excludes, omit, omitting, skip".split(
    ', ',
  ),
  ...'nothing with'.split(', '),
];
/** The same where what stands behind it is an ingredient: 无患子 and 非离子 are words of their own. */
export const EXCLUDING_INGREDIENTS = ['无', '非', '零', '免', '零添加', '无添加', 'non'];
/** What stands before it must not be in the formula. */
export const EXCLUDING_BEFORE = ['free', 'excluded', '除外'];
/** What stands behind it must be in the formula. */
export const INCLUDING = [
  ...['含', '含有', '包含', '富含', '添加', '加有', '加了', '内含', '用了'],
  ...[
    'with',
    'contain',
    'contains',
    'containing',
    'has',
    'have',
    'having',
    'including',
    'includes',
    'that contain',
    'with added',
  ],
];
export const CONNECTING = ['和', '与', '及', '以及', '或', '或者', 'and', 'or', 'nor', 'plus'];
/** They say nothing about what is looked for. */
export const FILLERS = [
  ...[
    '的',
    '配方',
    '产品',
    '所有',
    '全部',
    '查找',
    '找',
    '找出',
    '搜索',
    '显示',
    '请',
    '给我',
    '一个',
    '一款',
    '哪些',
    '成分',
    '并且',
    '任何',
    '但',
    '但是',
    '既',
    '也',
    '又',
  ],
  ...[
    'formula',
    'formulas',
    'formulation',
    'formulations',
    'product',
    'products',
    'find',
    'show',
    'search',
    'list',
    'me',
    'all',
    'the',
    'a',
    'an',
  ],
  ...[
    'that',
    'which',
    'is',
    'are',
    'was',
    'were',
    'in',
    'of',
    'for',
    'any',
    'some',
    'ingredient',
    'ingredients',
    'please',
    'but',
    'at',
    'by',
    'on',
  ],
];
/** Words around a date: which time is meant. */
export const CREATED = ['创建', '新建', '建立', '新增', '创建于', 'created', 'made', 'added', 'new'];
export const UPDATED = [
  '修改',
  '更新',
  '改动',
  '修订',
  '改过',
  '编辑',
  'changed',
  'modified',
  'updated',
  'edited',
  'revised',
  'touched',
];
