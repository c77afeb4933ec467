import type { Language } from 'formula-development-service';

// #region language
/** Messages of requests with `X-Language: en`; a missing one stays Chinese. */
export const ENGLISH: Language = {
  header: 'X-Language',
  value: 'en',
  texts: {
    'validation.more-faults': '{total} faults in all',
    'auth.required': 'Not signed in, or signed out since',
    'access.denied': 'You may not do this',
    'formula.not-found': 'No such formula',
    'formula.percentage-sum': 'The percentages must add up to {min} to {max}; they add up to {sum}',
    'field.required': 'must not be empty',
    'field.text-too-long': 'must not have more than {max} characters',
    'field.none-of': 'must be one of {values}',
  },
};
// #endregion
