/*
 * The texts of errors and field faults, as [Chinese, English]. The Chinese is the contract's. A code never changes its
 * meaning; `{name}` is a placeholder for a value. docs/errors.md lists them and `messages.ts` (`npm run errors`).
 */

/** Faults of a request as a whole, with the HTTP status. The code is sent in the `X-Error-Code` header. */
export const ERRORS = {
  'validation.failed': ['{faults}', '{faults}', 400],
  'request.malformed': ['请求格式错误', 'The request is malformed', 400],
  'request.if-match': [
    '必须是以逗号分隔、带双引号的 ETag',
    'must be a list of ETags in double quotes, separated by commas',
    400,
  ],
  'request.unencoded-address': [
    '请求地址中的中文等字符须用百分号编码',
    'Characters such as Chinese must be percent-encoded in the request address',
    400,
  ],
  'request.malformed-path': ['请求路径格式错误', 'The request path is malformed', 400],
  'request.timeout': ['请求超时', 'The request timed out', 408],
  'request.headers-too-large': ['请求地址或请求头过长', 'The request address or headers are too long', 431],
  'body.malformed': ['请求体不是有效的 JSON', 'The request body is not valid JSON', 400],
  'body.not-an-object': ['请求体必须是 JSON 对象', 'The request body must be a JSON object', 400],
  'body.too-large': ['请求体过大', 'The request body is too large', 413],
  'body.file-too-large': [
    '文件超过 {megabytes} MB,请分批发送(例如按项目分别导出),或在服务器上用命令导入',
    'The file is larger than {megabytes} MB; send it in parts, such as the export of one project at a time, or use the command on the server',
    413,
  ],
  'body.not-json': ['请求体必须是 JSON', 'The request body must be JSON', 415],
  'body.not-a-file': [
    '请求体必须是 CSV 或 XLSX 文件,或 file 字段为文件的表单',
    'The request body must be a CSV or XLSX file, or a form whose field "file" is such a file',
    415,
  ],
  'body.unsupported-encoding': [
    '不支持的请求体编码',
    'The encoding of the request body is not supported',
    415,
  ],
  'body.unsupported-format': ['不支持的请求体格式', 'The format of the request body is not supported', 415],

  'auth.required': ['未登录或登录已过期', 'Not signed in, or the session has expired', 401],
  'auth.wrong-credentials': ['用户名或密码错误', 'Wrong username or password', 401],
  'auth.credentials-required': ['用户名和密码为必填项', 'Username and password are required', 400],
  'auth.password-too-short': ['密码至少4位', 'The password must have at least 4 characters', 400],
  'auth.username-required': ['用户名不能为空', 'The username must not be empty', 400],
  'auth.password-required': ['密码不能为空', 'The password must not be empty', 400],
  'auth.username-taken': ['用户名已存在', 'The username is already taken', 409],
  'access.denied': ['无权限执行此操作', 'You are not allowed to do this', 403],

  'route.not-found': ['接口不存在', 'There is no such endpoint', 404],
  'ingredient.not-found': ['成分不存在', 'The ingredient does not exist', 404],
  'ingredient.changed': [
    '成分已被修改,请重新获取后再提交',
    'The ingredient has been changed; load it again before you submit',
    412,
  ],
  'ingredient.in-use': [
    '该成分已被配方引用,无法删除',
    'Formulas use this ingredient, so it cannot be deleted',
    409,
  ],
  'ingredient.too-many-names': [
    '合并后{field}超过{max}个,请先删减',
    'The merged ingredient would have more than {max} {field}; remove some first',
    409,
  ],
  'substance.not-found': ['没有含该物质的原料', 'No raw material contains this substance', 404],
  'project.not-found': ['项目不存在', 'The project does not exist', 404],
  'formula.not-found': ['配方不存在', 'The formula does not exist', 404],
  'formula.version-not-found': ['配方版本不存在', 'The formula has no such version', 404],
  'formula.too-many-substances': [
    '配方展开后的物质超过{max}项,无法处理',
    'The formula contains more than {max} substances and cannot be processed',
    409,
  ],
  'declaration.too-many-substances': [
    '各配方展开后的物质合计超过{max}项,无法处理',
    'The formulas contain more than {max} substances together and cannot be processed',
    409,
  ],
  'solve.too-demanding': ['求解超时,请减少条件', 'Solving takes too long; send fewer wishes', 409],
  'solve.not-rounded': [
    '未找到保留{decimals}位小数且满足全部条件的百分比,请放宽条件',
    'No percentages with {decimals} decimals were found that fulfil all wishes; loosen them',
    409,
  ],
  'formula.no-earlier-version': [
    '该配方没有更早的版本可供对比',
    'The formula has no earlier version to compare with',
    404,
  ],
  'screening.too-many-comparisons': [
    '配方与限值表的比对超过{max}次,无法处理',
    'Comparing the formula with the table of limits takes more than {max} comparisons',
    409,
  ],
  'limits.edition-not-found': ['限值表版本不存在', 'There is no such edition of limits', 404],
  'limits.edition-exists': ['已存在同名的限值表版本', 'An edition of limits with this name exists', 409],
  'limits.no-rows': ['文件中没有可用的限值', 'The file has no usable limits', 400],
  'limits.too-many-rows': [
    '限值不能超过{max}条,当前为{count}条',
    'There must be at most {max} limits, there are {count}',
    400,
  ],
  'limits.too-large': [
    '限值表过大:名称和 CAS 号不能超过{names}个,文字不能超过{characters}个字符',
    'The table of limits is too large: at most {names} names and CAS numbers, and {characters} characters',
    400,
  ],
  'import.refused-rows-not-found': [
    '未导入的行不存在或已过期',
    'There are no such refused rows, or they have expired',
    404,
  ],
  'composition.too-many-rows': [
    '超过{max}行,无法一次导出',
    'There are more than {max} rows, too many for one export',
    409,
  ],
  'formula.changed': [
    '配方已被修改,当前版本为{version},请重新获取后再提交',
    'The formula has been changed and is now at version {version}; load it again before you submit',
    412,
  ],
  'rates.changed': ['汇率已被修改,请重新获取后再提交', 'The rates have changed; load them again', 412],
  'profile.changed': [
    '产品档案已被修改,请重新获取后再提交',
    'The profile has been changed; load it again before you submit',
    412,
  ],
  'formula.changed-meanwhile': [
    '配方刚被他人修改,未写入任何内容,请重试',
    'A formula was changed meanwhile; nothing was written, try again',
    409,
  ],
  'replacement.too-many-formulas': [
    '涉及的配方超过{max}个,请用 formulas 缩小范围',
    'There are more than {max} formulas; select fewer with "formulas"',
    409,
  ],
  'replacement.too-many-lines': [
    '涉及的配方共超过{max}个成分行,请用 formulas 缩小范围',
    'The formulas have more than {max} lines; select fewer with "formulas"',
    409,
  ],
  'color.not-found': ['颜色配方不存在', 'The colour formula does not exist', 404],
  'color.changed': [
    '颜色配方已被修改,请重新获取后再提交',
    'The colour formula has been changed; read it again before you send it',
    412,
  ],
  'trash.not-found': ['回收站中没有该配方', 'The formula is not in the trash', 404],
  'trash.missing-ingredients': [
    '以下成分已不存在,无法恢复该配方: {names}',
    'The formula cannot be restored, because these ingredients no longer exist: {names}',
    409,
  ],
  'trash.field-conflict': [
    '扩展表 {tables} 的数据与现有记录冲突,无法恢复该配方',
    'The formula cannot be restored, because its rows of {tables} conflict with other records',
    409,
  ],
  'trash.rows-too-large': [
    '该配方在扩展表 {table} 中的数据过多,回收站无法保存,请先删除这些数据',
    'The trash cannot keep the rows that the formula has in {table}, because they are too large: delete them first',
    409,
  ],
  'record.in-use': ['该记录正被引用,无法删除', 'The record is in use and cannot be deleted', 409],

  'rate.limited': ['请求过于频繁,请稍后再试', 'Too many requests; try again later', 429],
  'server.failed': ['服务器内部错误', 'Internal server error', 500],
  'server.busy': ['服务繁忙,请稍后再试', 'The service is busy; try again later', 503],
  'server.unhealthy': ['服务暂时不可用', 'The service is temporarily unavailable', 503],
  'database.unavailable': ['数据库不可用', 'The database is unavailable', 503],
  'database.busy': ['数据库繁忙,请重试', 'The database is busy; try again', 503],
  'ai.unavailable': [
    'AI 服务暂时不可用,请稍后重试',
    'The AI service is temporarily unavailable; try again later',
    [502, 503, 504],
  ],
  'ai.extraction-failed': ['AI 提取失败,请重试', 'The AI extraction failed; try again', 500],
  'names.none': ['至少需要一个名称', 'Send at least one name', 400],
} as const;

/** Faults of a field. They are sent in the text of `validation.failed`. */
export const FIELD_FAULTS = {
  'field.required': ['不能为空', 'must not be empty'],
  'field.not-a-text': ['必须是字符串', 'must be a string'],
  'field.text-too-short': ['不能少于{min}个字符', 'must have at least {min} character(s)'],
  'field.text-too-long': ['不能超过{max}个字符', 'must have at most {max} characters'],
  'field.null-character': ['不能包含空字符', 'must not contain null characters'],
  'field.not-unicode': ['不是有效的 Unicode 文本', 'is not valid Unicode text'],
  'field.unseen-character': [
    '不能包含控制、格式、不可见或未分配的字符',
    'must not contain control, format, invisible or unassigned characters',
  ],
  'field.not-visible-ascii': ['只能包含可见的 ASCII 字符', 'may contain only visible ASCII characters'],
  'field.not-a-number': ['必须是数字', 'must be a number'],
  'field.not-finite': ['必须是有限的数字', 'must be a finite number'],
  'field.not-an-integer': ['必须是整数', 'must be an integer'],
  'field.too-small': ['不能小于{min}', 'must be at least {min}'],
  'field.not-above': ['必须大于{bound}', 'must be greater than {bound}'],
  'field.too-great': ['不能大于{max}', 'must be at most {max}'],
  'field.not-a-uuid': ['必须是 UUID', 'must be a UUID'],
  'field.not-a-day': ['必须是日期,如2026-12-31', 'must be a day such as 2026-12-31'],
  'field.not-a-boolean': ['必须是 true 或 false', 'must be true or false'],
  'field.not-a-time': [
    '必须是日期(如 2026-01-31)或带时区的时间(如 2026-01-31T08:00:00Z)',
    'must be a day (such as 2026-01-31) or a time with a time zone (such as 2026-01-31T08:00:00Z)',
  ],
  'auth.wrong-old-password': ['旧密码不正确', 'is not the password of the account'],
  'field.none-of': ['必须是以下值之一: {values}', 'must be one of: {values}'],
  'field.not-an-object': ['必须是对象', 'must be an object'],
  'field.not-a-list': ['必须是数组', 'must be an array'],
  'field.too-few-items': ['至少需要{min}项', 'must have at least {min} item(s)'],
  'field.too-many-items': ['不能超过{max}项', 'must have at most {max} items'],
  'field.item-not-an-object': ['第{position}项必须是对象', 'item {position} must be an object'],
  'field.item-not-a-uuid': ['第{position}项必须是 UUID', 'item {position} must be a UUID'],
  'field.item-not-a-text': [
    '第{position}项必须是不超过{max}个字符的非空字符串',
    'item {position} must be a non-empty string of at most {max} characters',
  ],
  'field.json-too-long': ['JSON 文本不能超过{kilobytes}KB', 'must be at most {kilobytes} KB of JSON text'],
  'field.too-many-values': ['不能超过{max}个值', 'must have at most {max} values'],
  'field.too-deep': ['嵌套不能超过{max}层', 'must be nested at most {max} levels deep'],
  'field.not-an-address': ['必须是 http 或 https 地址', 'must be an http or https address'],
  'field.private-address': [
    '不能指向本机或内部网络',
    'must not point to this machine or an internal network',
  ],
  'import.unknown-parameter': [
    '没有这个查询参数,未导入任何数据',
    'there is no such query parameter; nothing was imported',
  ],
  'file.form-field': [
    '表单中只能有 file 字段,其他参数请写在查询字符串中',
    'a form has only the field "file"; other parameters belong in the query',
  ],
  'file.missing': ['必须提供文件', 'a file is required'],
  'file.unreadable': ['无法读取: {reason}', 'cannot be read: {reason}'],
  'formula.percentage-sum': [
    '所有成分百分比之和必须在{min}到{max}之间,当前为{sum}',
    'the percentages of all ingredients must add up to between {min} and {max}; they add up to {sum}',
  ],
  'formula.too-many-lines': [
    '所有成分合计不能超过{max}项',
    'must have at most {max} ingredient lines in all',
  ],
  'formula.line-not-in-version': [
    '该配方版本中没有这一成分行',
    'this version of the formula has no such line',
  ],
  'balance.out-of-range': [
    '补足后该行为{percentage}%,必须大于0且不超过100%',
    'the balanced line would be {percentage}%, but must be greater than 0 and at most 100%',
  ],
  'balance.too-many-digits': [
    '补足后该行为{percentage}%,位数过多,请先将各成分百分比取整',
    'the balanced line would be {percentage}%, which has too many digits; round the percentages first',
  ],
  'solve.not-in-version': ['该配方版本中没有此项', 'this version of the formula does not contain it'],
  'solve.cost-unknown': [
    '成本未知:{count}种成分没有可用价格({names})',
    'the cost is unknown: {count} ingredients have no usable price ({names})',
  ],
  'list.share-without-ingredient': ['必须与 ingredientId 一起提供', 'requires ingredientId'],
  'replacement.same-ingredient': ['不能与被替换的成分相同', 'must not be the ingredient that is replaced'],
  'replacement.one-selection': ['必须且只能提供 ids 或 projectId 之一', 'requires either ids or projectId'],
  'replacement.percentage-sum': [
    '配方 {name} 替换后所有成分百分比之和为{sum},必须在{min}到{max}之间',
    'after the replacement the percentages of the formula {name} add up to {sum}, which must be between {min} and {max}',
  ],
  'replacement.line-out-of-range': [
    '配方 {name} 替换后有一行为{percentage}%,每行必须大于0且不超过100%',
    'after the replacement a line of the formula {name} has {percentage}%; each line must be above 0 and at most 100%',
  ],
  'list.project-or-null': ['必须提供,不归入任何项目时为 null', 'is required; null means no project'],
  'batch.not-a-multiple': ['必须是天平分度值的整数倍', 'must be a multiple of the balance step'],
  'batch.too-many-steps': ['不能超过天平分度值的{max}倍', 'must be at most {max} times the balance step'],
  'batch.too-many-digits': ['有效数字不能超过{max}位', 'must have at most {max} significant digits'],
  'composition.percentage-or-range': [
    '必须且只能提供 percentage 或 range 之一',
    'needs exactly one of percentage and range',
  ],
  'composition.percentage-or-bounds': [
    '必须提供 percentage,或 minPercentage 和 maxPercentage,不能同时提供',
    'requires either percentage, or minPercentage and maxPercentage',
  ],
  'composition.bound-missing': [
    '提供 minPercentage 时必须提供 maxPercentage',
    'minPercentage requires maxPercentage',
  ],
  'composition.reversed-range': [
    '范围的下限{min}不能大于上限{max}',
    'the lower bound {min} of the range must not exceed the upper bound {max}',
  ],
  'composition.repeated-substance': [
    '与第{position}项是同一物质',
    'is the same substance as item {position}',
  ],
  'composition.percentage-sum': [
    '所有物质百分比之和必须为100,当前为{sum}',
    'the percentages of all substances must add up to 100; they add up to {sum}',
  ],
  'composition.range-sum': [
    '所有物质百分比的下限之和不能大于100,上限之和不能小于100,当前为{min}至{max}',
    'the lower bounds must add up to at most 100 and the upper bounds to at least 100; they add up to {min} and {max}',
  ],
  'composition.not-a-cas-number': [
    '不是有效的 CAS 号,格式如 56-81-5',
    'is not a valid CAS number such as 56-81-5',
  ],
  'composition.not-an-ec-number': [
    '不是有效的 EC 号,格式如 200-289-5',
    'is not a valid EC number such as 200-289-5',
  ],
  'composition.wrong-check-digit': [
    '{number} 的校验位有误,应为{expected}',
    'the check digit of {number} is wrong; it should be {expected}',
  ],
  'composition.row-without-ingredient': [
    '必须提供 ingredientId 或 ingredient',
    'ingredientId or ingredient is required',
  ],
  'composition.ambiguous-ingredient': [
    '有多个原料使用此名称,请提供 supplier 或 ingredientId',
    'several raw materials have this name; give the supplier or the ingredientId',
  ],
  'profile.formula-or-name': ['须填写 formulaId 或 name', 'give a formulaId or a name'],
  'profile.mixed-with-itself': ['不能与自身混合', 'a product is not mixed with itself'],
  'profile.different': [
    '各配方的产品档案不一致({values}),请在请求中指定',
    'the profiles of the formulas differ ({values}); say which in the request',
  ],
  'declaration.formulas-or-project': [
    'formulas 与 projectId 必须且只能填写一个',
    'give either formulas or projectId',
  ],
  'composition.too-many-substances': [
    '每个原料的物质不能超过{max}项,当前为{count}项',
    'a raw material can have at most {max} substances; this one has {count}',
  ],
  'card.not-a-unit': ['必须是质量或体积单位,如 25 kg、L', 'must be a mass or a volume such as 25 kg or L'],
  'field.not-a-currency': ['必须是币种代码,如 CNY、EUR', 'must be a currency such as CNY or EUR'],
  'rates.repeated': ['同一币种只能出现一次', 'must be given once only'],
  'card.contradiction': ['与第{line}行的{value}不一致', 'line {line} has {value}'],
  'card.empty-row': [
    '该行没有供应商、文件、密度、浓度或溶剂',
    'the row has no supplier, document, density, strength or solvent',
  ],
  'card.two-preferred': ['第{position}项已是首选供应商', 'item {position} is preferred already'],
  'names.without-letter': [
    '第{position}项必须包含字母或数字',
    'item {position} must have a letter or a digit',
  ],
  'names.repeated': ['第{position}项与第{earlier}项重复', 'item {position} repeats item {earlier}'],
  'names.same-ingredient': ['不能与被合并的成分相同', 'must not be the ingredient that is merged'],
  'color.incomplete-lab': ['L、a、b 必须同时提供', 'L, a and b must be given together'],
  'exploration.without-goal': [
    '与 targetMetrics、excludeIngredients 至少需要设置一项',
    'at least one of costLimit, targetMetrics and excludeIngredients is required',
  ],
  // Appended to the listed faults if there are more.
  'validation.more-faults': ['共{total}处错误', '{total} faults in all'],
} as const;
