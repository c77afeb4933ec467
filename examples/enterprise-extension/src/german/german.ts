import type { Language } from 'formula-development-service';

// #region language
/** Messages of requests with `X-Language: de`; a missing one stays Chinese. */
export const GERMAN: Language = {
  header: 'X-Language',
  value: 'de',
  texts: {
    'auth.required': 'Nicht angemeldet, oder die Anmeldung ist abgelaufen',
    'access.denied': 'Keine Berechtigung',
    'formula.not-found': 'Die Formel gibt es nicht',
    'formula.percentage-sum': 'Die Summe muss zwischen {min} und {max} liegen; sie ist {sum}',
    'field.required': 'darf nicht leer sein',
    'field.text-too-long': 'darf höchstens {max} Zeichen haben',
    // A text of this extension:
    'stability.not-found': 'Den Stabilitätstest gibt es nicht',
  },
};
// #endregion
