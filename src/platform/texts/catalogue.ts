/*
 * All texts that the service sends to clients, in the contract's Chinese. A code never changes its meaning;
 * `{name}` is a placeholder for a value. docs/errors.md lists all codes (`npm run errors`).
 */

interface ErrorText {
  status: number | readonly number[];
  text: string;
}

/** Faults of a request as a whole. The code is sent in the `X-Error-Code` header. */
export const ERRORS = {
  'validation.failed': { status: 400, text: '{faults}' },
  'request.malformed': { status: 400, text: '请求格式错误' },
  'request.unencoded-address': { status: 400, text: '请求地址中的中文等字符须用百分号编码' },
  'request.malformed-path': { status: 400, text: '请求路径格式错误' },
  'request.timeout': { status: 408, text: '请求超时' },
  'request.headers-too-large': { status: 431, text: '请求地址或请求头过长' },
  'body.malformed': { status: 400, text: '请求体不是有效的 JSON' },
  'body.not-an-object': { status: 400, text: '请求体必须是 JSON 对象' },
  'body.too-large': { status: 413, text: '请求体过大' },
  'body.file-too-large': {
    status: 413,
    text: '文件超过 {megabytes} MB,请分批发送(例如按项目分别导出),或在服务器上用命令导入',
  },
  'body.not-json': { status: 415, text: '请求体必须是 JSON' },
  'body.not-a-file': { status: 415, text: '请求体必须是 CSV 或 XLSX 文件,或 file 字段为文件的表单' },
  'body.unsupported-encoding': { status: 415, text: '不支持的请求体编码' },
  'body.unsupported-format': { status: 415, text: '不支持的请求体格式' },

  'auth.required': { status: 401, text: '未登录或登录已过期' },
  'auth.wrong-credentials': { status: 401, text: '用户名或密码错误' },
  'auth.credentials-required': { status: 400, text: '用户名和密码为必填项' },
  'auth.password-too-short': { status: 400, text: '密码至少4位' },
  'auth.username-required': { status: 400, text: '用户名不能为空' },
  'auth.password-required': { status: 400, text: '密码不能为空' },
  'auth.username-taken': { status: 409, text: '用户名已存在' },
  'access.denied': { status: 403, text: '无权限执行此操作' },

  'route.not-found': { status: 404, text: '接口不存在' },
  'ingredient.not-found': { status: 404, text: '成分不存在' },
  'ingredient.changed': { status: 412, text: '成分已被修改,请重新获取后再提交' },
  'ingredient.in-use': { status: 409, text: '该成分已被配方引用,无法删除' },
  'ingredient.too-many-names': { status: 409, text: '合并后{field}超过{max}个,请先删减' },
  'project.not-found': { status: 404, text: '项目不存在' },
  'formula.not-found': { status: 404, text: '配方不存在' },
  'formula.version-not-found': { status: 404, text: '配方版本不存在' },
  'formula.too-many-substances': { status: 409, text: '配方展开后的物质超过{max}项,无法处理' },
  'formula.no-earlier-version': { status: 404, text: '该配方没有更早的版本可供对比' },
  'screening.too-many-comparisons': { status: 409, text: '配方与限值表的比对超过{max}次,无法处理' },
  'limits.edition-not-found': { status: 404, text: '限值表版本不存在' },
  'limits.edition-exists': { status: 409, text: '已存在同名的限值表版本' },
  'limits.no-rows': { status: 400, text: '文件中没有可用的限值' },
  'limits.too-many-rows': { status: 400, text: '限值不能超过{max}条,当前为{count}条' },
  'limits.too-large': {
    status: 400,
    text: '限值表过大:名称和 CAS 号不能超过{names}个,文字不能超过{characters}个字符',
  },
  'import.refused-rows-not-found': { status: 404, text: '未导入的行不存在或已过期' },
  'composition.too-many-rows': { status: 409, text: '成分组成超过{max}行,无法一次导出' },
  'formula.changed': { status: 412, text: '配方已被修改,当前版本为{version},请重新获取后再提交' },
  'formula.changed-meanwhile': { status: 409, text: '配方刚被他人修改,未写入任何内容,请重试' },
  'replacement.too-many-formulas': { status: 409, text: '涉及的配方超过{max}个,请用 formulas 缩小范围' },
  'replacement.too-many-lines': { status: 409, text: '涉及的配方共超过{max}个成分行,请用 formulas 缩小范围' },
  'color.not-found': { status: 404, text: '颜色配方不存在' },
  'color.changed': { status: 412, text: '颜色配方已被修改,请重新获取后再提交' },
  'trash.not-found': { status: 404, text: '回收站中没有该配方' },
  'trash.missing-ingredients': { status: 409, text: '以下成分已不存在,无法恢复该配方: {names}' },
  'trash.field-conflict': { status: 409, text: '自定义字段的值与现有记录冲突,无法恢复该配方' },
  'record.in-use': { status: 409, text: '该记录正被引用,无法删除' },

  'rate.limited': { status: 429, text: '请求过于频繁,请稍后再试' },
  'server.failed': { status: 500, text: '服务器内部错误' },
  'server.busy': { status: 503, text: '服务繁忙,请稍后再试' },
  'server.unhealthy': { status: 503, text: '服务暂时不可用' },
  'database.unavailable': { status: 503, text: '数据库不可用' },
  'database.busy': { status: 503, text: '数据库繁忙,请重试' },
  'ai.unavailable': { status: [502, 503, 504], text: 'AI 服务暂时不可用,请稍后重试' },
  'ai.extraction-failed': { status: 500, text: 'AI 提取失败,请重试' },
} as const satisfies Record<string, ErrorText>;

/** Faults of a field. They are sent in the text of `validation.failed`. */
export const FIELD_FAULTS = {
  'field.required': '不能为空',
  'field.not-a-text': '必须是字符串',
  'field.text-too-short': '不能少于{min}个字符',
  'field.text-too-long': '不能超过{max}个字符',
  'field.null-character': '不能包含空字符',
  'field.not-unicode': '不是有效的 Unicode 文本',
  'field.unseen-character': '不能包含控制、格式、不可见或未分配的字符',
  'field.not-visible-ascii': '只能包含可见的 ASCII 字符',
  'field.not-a-number': '必须是数字',
  'field.not-finite': '必须是有限的数字',
  'field.not-an-integer': '必须是整数',
  'field.too-small': '不能小于{min}',
  'field.not-above': '必须大于{bound}',
  'field.too-great': '不能大于{max}',
  'field.not-a-uuid': '必须是 UUID',
  'field.not-a-day': '必须是日期,如2026-12-31',
  'field.not-a-boolean': '必须是 true 或 false',
  'field.not-a-time': '必须是日期(如 2026-01-31)或带时区的时间(如 2026-01-31T08:00:00Z)',
  'auth.wrong-old-password': '旧密码不正确',
  'field.none-of': '必须是以下值之一: {values}',
  'field.not-an-object': '必须是对象',
  'field.not-a-list': '必须是数组',
  'field.too-few-items': '至少需要{min}项',
  'field.too-many-items': '不能超过{max}项',
  'field.item-not-an-object': '第{position}项必须是对象',
  'field.item-not-a-uuid': '第{position}项必须是 UUID',
  'field.item-not-a-text': '第{position}项必须是不超过{max}个字符的非空字符串',
  'field.json-too-long': 'JSON 文本不能超过{kilobytes}KB',
  'field.too-many-values': '不能超过{max}个值',
  'field.too-deep': '嵌套不能超过{max}层',
  'field.not-an-address': '必须是 http 或 https 地址',
  'field.private-address': '不能指向本机或内部网络',
  'import.unknown-parameter': '没有这个查询参数,未导入任何数据',
  'file.form-field': '表单中只能有 file 字段,其他参数请写在查询字符串中',
  'file.missing': '必须提供文件',
  'file.unreadable': '无法读取: {reason}',
  'formula.percentage-sum': '所有成分百分比之和必须在{min}到{max}之间,当前为{sum}',
  'formula.too-many-lines': '所有成分合计不能超过{max}项',
  'formula.line-not-in-version': '该配方版本中没有这一成分行',
  'balance.out-of-range': '补足后该行为{percentage}%,必须大于0且不超过100%',
  'balance.too-many-digits': '补足后该行为{percentage}%,位数过多,请先将各成分百分比取整',
  'list.share-without-ingredient': '必须与 ingredientId 一起提供',
  'replacement.same-ingredient': '不能与被替换的成分相同',
  'replacement.one-selection': '必须且只能提供 ids 或 projectId 之一',
  'replacement.percentage-sum': '配方 {name} 替换后所有成分百分比之和为{sum},必须在{min}到{max}之间',
  'replacement.line-out-of-range': '配方 {name} 替换后有一行为{percentage}%,每行必须大于0且不超过100%',
  'list.project-or-null': '必须提供,不归入任何项目时为 null',
  'batch.not-a-multiple': '必须是天平分度值的整数倍',
  'batch.too-many-steps': '不能超过天平分度值的{max}倍',
  'batch.too-many-digits': '有效数字不能超过{max}位',
  'composition.percentage-or-range': '必须且只能提供 percentage 或 range 之一',
  'composition.percentage-or-bounds': '必须提供 percentage,或 minPercentage 和 maxPercentage,不能同时提供',
  'composition.bound-missing': '提供 minPercentage 时必须提供 maxPercentage',
  'composition.reversed-range': '范围的下限{min}不能大于上限{max}',
  'composition.repeated-substance': '与第{position}项是同一物质',
  'composition.percentage-sum': '所有物质百分比之和必须为100,当前为{sum}',
  'composition.range-sum': '所有物质百分比的下限之和不能大于100,上限之和不能小于100,当前为{min}至{max}',
  'composition.not-a-cas-number': '不是有效的 CAS 号,格式如 56-81-5',
  'composition.not-an-ec-number': '不是有效的 EC 号,格式如 200-289-5',
  'composition.wrong-check-digit': '{number} 的校验位有误,应为{expected}',
  'composition.row-without-ingredient': '必须提供 ingredientId 或 ingredient',
  'composition.ambiguous-ingredient': '有多个原料使用此名称,请提供 supplier 或 ingredientId',
  'composition.too-many-substances': '每个原料的物质不能超过{max}项,当前为{count}项',
  'names.without-letter': '第{position}项必须包含字母或数字',
  'names.match-needs-names': '按 CAS 号查找原料需要启用 names 模块',
  'names.repeated': '第{position}项与第{earlier}项重复',
  'names.same-ingredient': '不能与被合并的成分相同',
  'color.incomplete-lab': 'L、a、b 必须同时提供',
  'exploration.without-goal': '与 targetMetrics、excludeIngredients 至少需要设置一项',
  // Appended to the listed faults if there are more.
  'validation.more-faults': '共{total}处错误',
} as const;

/** Texts of event streams and of provider tests, whose answers are not errors. */
export const MESSAGES = {
  'stream.stopping': '服务正在停止,请稍后重试',
  'ai.stream-failed': 'AI 服务中断,请重试',
  // Appended to the reasoning of a preset that replaces a provider's answer.
  'ai.fallback': 'AI 服务未能给出可用的回答,以上为预设内容(fallback)。',
  'ai-test.connection': '{provider} 无法连接,请检查地址与网络',
  'ai-test.timeout': '{provider} {seconds} 秒内没有响应',
  'ai-test.rate-limited': '{provider} 请求过于频繁或额度已用完',
  'ai-test.server': '{provider} 服务端错误,请稍后重试',
  'ai-test.key-refused': '{provider} API 密钥无效或没有权限',
  'ai-test.not-found': '{provider} 地址或模型不存在',
  'ai-test.request': '{provider} 请求被拒绝,请检查地址与模型',
  'ai-test.refused': '{provider} 没有给出可用的回答',
  'ai-test.invalid-answer': '{provider} 返回的内容无法识别,请检查地址',
  'ai-test.not-configured': '{provider} 未配置 API 密钥',
  'ai-test.key-withheld': '{provider} 保存的地址不使用环境变量中的密钥,请同时保存密钥',
} as const;

type ErrorTexts = { [Code in keyof typeof ERRORS]: (typeof ERRORS)[Code]['text'] };

const errorTexts = Object.fromEntries(
  Object.entries<ErrorText>(ERRORS).map(([code, { text }]) => [code, text]),
) as ErrorTexts;

/** All texts by code. */
export const CATALOGUE = { ...errorTexts, ...FIELD_FAULTS, ...MESSAGES } as const;

/** The code of a text. Its meaning never changes; any release may add new codes. */
export type TextCode = keyof typeof CATALOGUE;
