import type { TextCode } from './catalogue';
import type { Language } from './language';

/** The catalogue in English, for requests with `X-Language: en`. */
const TEXTS = {
  'validation.failed': '{faults}',
  'request.malformed': 'The request is malformed',
  'request.unencoded-address': 'Characters such as Chinese must be percent-encoded in the request address',
  'request.malformed-path': 'The request path is malformed',
  'request.timeout': 'The request timed out',
  'request.headers-too-large': 'The request address or headers are too long',
  'body.malformed': 'The request body is not valid JSON',
  'body.not-an-object': 'The request body must be a JSON object',
  'body.too-large': 'The request body is too large',
  'body.file-too-large':
    'The file is larger than {megabytes} MB; send it in parts, such as the export of one project at a time, or use the command on the server',
  'body.not-json': 'The request body must be JSON',
  'body.not-a-file':
    'The request body must be a CSV or XLSX file, or a form whose field "file" is such a file',
  'body.unsupported-encoding': 'The encoding of the request body is not supported',
  'body.unsupported-format': 'The format of the request body is not supported',

  'auth.required': 'Not signed in, or the session has expired',
  'auth.wrong-credentials': 'Wrong username or password',
  'auth.credentials-required': 'Username and password are required',
  'auth.password-too-short': 'The password must have at least 4 characters',
  'auth.username-required': 'The username must not be empty',
  'auth.password-required': 'The password must not be empty',
  'auth.username-taken': 'The username is already taken',
  'access.denied': 'You are not allowed to do this',

  'route.not-found': 'There is no such endpoint',
  'ingredient.not-found': 'The ingredient does not exist',
  'ingredient.changed': 'The ingredient has been changed; load it again before you submit',
  'ingredient.in-use': 'Formulas use this ingredient, so it cannot be deleted',
  'project.not-found': 'The project does not exist',
  'formula.not-found': 'The formula does not exist',
  'formula.version-not-found': 'The formula has no such version',
  'formula.too-many-substances': 'The formula contains more than {max} substances and cannot be processed',
  'composition.too-many-rows': 'There are more than {max} rows of compositions, too many for one export',
  'formula.changed':
    'The formula has been changed and is now at version {version}; load it again before you submit',
  'record.in-use': 'The record is in use and cannot be deleted',

  'rate.limited': 'Too many requests; try again later',
  'server.failed': 'Internal server error',
  'server.busy': 'The service is busy; try again later',
  'server.unhealthy': 'The service is temporarily unavailable',
  'database.unavailable': 'The database is unavailable',
  'database.busy': 'The database is busy; try again',
  'ai.unavailable': 'The AI service is temporarily unavailable; try again later',
  'ai.extraction-failed': 'The AI extraction failed; try again',

  'field.required': 'must not be empty',
  'field.not-a-text': 'must be a string',
  'field.text-too-short': 'must have at least {min} character(s)',
  'field.text-too-long': 'must have at most {max} characters',
  'field.null-character': 'must not contain null characters',
  'field.not-unicode': 'is not valid Unicode text',
  'field.unseen-character': 'must not contain control, format, invisible or unassigned characters',
  'field.not-visible-ascii': 'may contain only visible ASCII characters',
  'field.not-a-number': 'must be a number',
  'field.not-finite': 'must be a finite number',
  'field.not-an-integer': 'must be an integer',
  'field.too-small': 'must be at least {min}',
  'field.not-above': 'must be greater than {bound}',
  'field.too-great': 'must be at most {max}',
  'field.not-a-uuid': 'must be a UUID',
  'auth.wrong-old-password': 'is not the password of the account',
  'field.none-of': 'must be one of: {values}',
  'field.not-an-object': 'must be an object',
  'field.not-a-list': 'must be an array',
  'field.too-few-items': 'must have at least {min} item(s)',
  'field.too-many-items': 'must have at most {max} items',
  'field.item-not-an-object': 'item {position} must be an object',
  'field.item-not-a-text': 'item {position} must be a non-empty string of at most {max} characters',
  'field.json-too-long': 'must be at most {kilobytes} KB of JSON text',
  'field.too-many-values': 'must have at most {max} values',
  'field.too-deep': 'must be nested at most {max} levels deep',
  'field.not-an-address': 'must be an http or https address',
  'field.private-address': 'must not point to this machine or an internal network',
  'import.unknown-parameter': 'there is no such query parameter; nothing was imported',
  'file.form-field': 'a form has only the field "file"; other parameters belong in the query',
  'file.missing': 'a file is required',
  'file.unreadable': 'cannot be read: {reason}',
  'formula.percentage-sum':
    'the percentages of all ingredients must add up to between {min} and {max}; they add up to {sum}',
  'formula.too-many-lines': 'must have at most {max} ingredient lines in all',
  'formula.line-not-in-version': 'this version of the formula has no such line',
  'balance.out-of-range':
    'the balanced line would be {percentage}%, but must be greater than 0 and at most 100%',
  'balance.too-many-digits':
    'the balanced line would be {percentage}%, which has too many digits; round the percentages first',
  'batch.not-a-multiple': 'must be a multiple of the balance step',
  'batch.too-many-steps': 'must be at most {max} times the balance step',
  'batch.too-many-digits': 'must have at most {max} significant digits',
  'composition.percentage-or-range': 'needs exactly one of percentage and range',
  'composition.reversed-range': 'the lower bound {min} of the range must not exceed the upper bound {max}',
  'composition.repeated-substance': 'is the same substance as item {position}',
  'composition.percentage-sum': 'the percentages of all substances must add up to 100; they add up to {sum}',
  'composition.range-sum':
    'the lower bounds must add up to at most 100 and the upper bounds to at least 100; they add up to {min} and {max}',
  'composition.not-a-cas-number': 'is not a valid CAS number such as 56-81-5',
  'composition.not-an-ec-number': 'is not a valid EC number such as 200-289-5',
  'composition.wrong-check-digit': 'the check digit of {number} is wrong; it should be {expected}',
  'composition.row-without-ingredient': 'ingredientId or ingredient is required',
  'composition.ambiguous-ingredient':
    'several raw materials have this name; give the supplier or the ingredientId',
  'composition.too-many-substances': 'a raw material can have at most {max} substances; this one has {count}',
  'color.incomplete-lab': 'L, a and b must be given together',
  'exploration.without-goal': 'at least one of costLimit, targetMetrics and excludeIngredients is required',
  'validation.more-faults': '{total} faults in all',

  'stream.stopping': 'The service is stopping; try again later',
  'ai.stream-failed': 'The AI service was interrupted; try again',
  // Follows the reasoning directly, so it begins with a space.
  'ai.fallback': ' The AI service gave no usable answer; the above is preset content (fallback).',
  'ai-test.connection': 'Cannot connect to {provider}; check the address and the network',
  'ai-test.timeout': '{provider} did not answer within {seconds} seconds',
  'ai-test.rate-limited': '{provider} received too many requests, or the quota is used up',
  'ai-test.server': '{provider} reported a server error; try again later',
  'ai-test.key-refused': 'The API key for {provider} is invalid or lacks permission',
  'ai-test.not-found': '{provider} does not have this address or model',
  'ai-test.request': '{provider} rejected the request; check the address and the model',
  'ai-test.refused': '{provider} gave no usable answer',
  'ai-test.invalid-answer': 'The answer from {provider} cannot be understood; check the address',
  'ai-test.not-configured': '{provider} has no API key',
  'ai-test.key-withheld':
    '{provider} has a stored address, which does not use the key of the environment; store the key too',
  'ingredient.too-many-names': 'The merged ingredient would have more than {max} {field}; remove some first',
  'formula.no-earlier-version': 'The formula has no earlier version to compare with',
  'screening.too-many-comparisons':
    'Comparing the formula with the table of limits takes more than {max} comparisons',
  'limits.edition-not-found': 'There is no such edition of limits',
  'limits.edition-exists': 'An edition of limits with this name exists',
  'limits.no-rows': 'The file has no usable limits',
  'limits.too-many-rows': 'There must be at most {max} limits, there are {count}',
  'limits.too-large':
    'The table of limits is too large: at most {names} names and CAS numbers, and {characters} characters',
  'import.refused-rows-not-found': 'There are no such refused rows, or they have expired',
  'formula.changed-meanwhile': 'A formula was changed meanwhile; nothing was written, try again',
  'replacement.too-many-formulas': 'There are more than {max} formulas; select fewer with "formulas"',
  'replacement.too-many-lines': 'The formulas have more than {max} lines; select fewer with "formulas"',
  'color.not-found': 'The colour formula does not exist',
  'color.changed': 'The colour formula has been changed; read it again before you send it',
  'trash.not-found': 'The formula is not in the trash',
  'trash.missing-ingredients':
    'The formula cannot be restored, because these ingredients no longer exist: {names}',
  'trash.field-conflict':
    'The formula cannot be restored, because a custom field has a value that another record has',
  'field.not-a-day': 'must be a day such as 2026-12-31',
  'field.not-a-boolean': 'must be true or false',
  'field.not-a-time':
    'must be a day (such as 2026-01-31) or a time with a time zone (such as 2026-01-31T08:00:00Z)',
  'field.item-not-a-uuid': 'item {position} must be a UUID',
  'list.share-without-ingredient': 'requires ingredientId',
  'replacement.same-ingredient': 'must not be the ingredient that is replaced',
  'replacement.one-selection': 'requires either ids or projectId',
  'replacement.percentage-sum':
    'after the replacement the percentages of the formula {name} add up to {sum}, which must be between {min} and {max}',
  'replacement.line-out-of-range':
    'after the replacement a line of the formula {name} has {percentage}%; each line must be above 0 and at most 100%',
  'list.project-or-null': 'is required; null means no project',
  'composition.percentage-or-bounds': 'requires either percentage, or minPercentage and maxPercentage',
  'composition.bound-missing': 'minPercentage requires maxPercentage',
  'names.without-letter': 'item {position} must have a letter or a digit',
  'names.match-needs-names': 'ingredients are found by CAS number only where the module names is on',
  'names.repeated': 'item {position} repeats item {earlier}',
  'names.same-ingredient': 'must not be the ingredient that is merged',
} as const satisfies Record<TextCode, string>;

export const ENGLISH: Language = { header: 'X-Language', value: 'en', texts: TEXTS };

/**
 * Merges the service's English with the English texts of extensions, which may replace ours and add their own.
 * Other languages of extensions follow.
 */
export function withEnglish(languages: readonly Language[]): Language[] {
  const isEnglish = ({ header, value }: Language) =>
    header.toLowerCase() === ENGLISH.header.toLowerCase() && value.toLowerCase() === ENGLISH.value;
  const further = languages.find(isEnglish);
  return [
    { ...ENGLISH, texts: { ...ENGLISH.texts, ...further?.texts } },
    ...languages.filter((language) => !isEnglish(language)),
  ];
}
