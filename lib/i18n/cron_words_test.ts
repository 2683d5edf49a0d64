import assert from "node:assert/strict";
import { cronWords as wordsOf } from "./cron_words.ts";
import { localeOf } from "./locale.ts";

const cronWords = (language: string, pattern: string) =>
  wordsOf({ language, locale: localeOf(language) }, pattern);

const PATTERNS = [
  "30 2 * * *",
  "0 */2 * * *",
  "0 9 * * 1-5",
  "5,35 8-17 * * 1,3,5",
  "0 12 1 1,6 *",
  "0 0 1 */3 0",
];

/** cronstrue alone gets many of these wrong: see cron_corrections.ts. */
// deno-fmt-ignore
const WORDS: Record<string, string[]> = {
  "en": [
    "At 2:30 AM",
    "On the hour, every 2 hours",
    "At 9:00 AM, Monday through Friday",
    "At 5 and 35 minutes past the hour, between 8:00 AM and 5:59 PM, only on Monday, Wednesday, and Friday",
    "At 12:00 PM, on day 1 of the month, only in January and June",
    "At 12:00 AM, on day 1 of the month, and on Sunday, every 3 months",
  ],
  "de": [
    "Um 02:30",
    "Zur vollen Stunde, alle 2 Stunden",
    "Um 09:00, Montag bis Freitag",
    "Bei Minute 5 und 35, zwischen 08:00 und 17:59, nur jeden Montag, Mittwoch und Freitag",
    "Um 12:00, am 1. Tag des Monats, nur im Januar und Juni",
    "Um 00:00, am 1. Tag des Monats und jeden Sonntag, alle 3 Monate",
  ],
  "es": [
    "A las 02:30",
    "En punto, cada 2 horas",
    "A las 09:00, de lunes a viernes",
    "A los 5 y 35 minutos de la hora, entre las 08:00 y las 17:59, solo el lunes, miércoles y viernes",
    "A las 12:00, el día 1 del mes, solo en enero y junio",
    "A las 00:00, el día 1 del mes y el domingo, cada 3 meses",
  ],
  "fr": [
    "À 02:30",
    "À l'heure pile, toutes les 2 heures",
    "À 09:00, de lundi à vendredi",
    "5 et 35 minutes après l'heure, de 08:00 à 17:59, uniquement le lundi, mercredi et vendredi",
    "À 12:00, le 1er du mois, uniquement en janvier et juin",
    "À 00:00, le 1er du mois et le dimanche, tous les 3 mois",
  ],
  "it": [
    "Alle 02:30",
    "All'ora esatta, ogni 2 ore",
    "Alle 09:00, dal lunedì al venerdì",
    "Ai minuti 5 e 35 di ogni ora, tra le 08:00 e le 17:59, solo il lunedì, mercoledì e venerdì",
    "Alle 12:00, il giorno 1 del mese, solo in gennaio e giugno",
    "Alle 00:00, il giorno 1 del mese e la domenica, ogni 3 mesi",
  ],
  "nl": [
    "Om 02:30",
    "Op het hele uur, elke 2 uur",
    "Om 09:00, maandag t/m vrijdag",
    "Op 5 en 35 minuten na het uur, tussen 08:00 en 17:59, alleen op maandag, woensdag en vrijdag",
    "Om 12:00, op dag 1 van de maand, alleen in januari en juni",
    "Om 00:00, op dag 1 van de maand en op zondag, elke 3 maanden",
  ],
  "pl": [
    "O 02:30",
    "O pełnej godzinie, co 2 godziny",
    "O 09:00, od poniedziałku do piątku",
    "W 5 i 35 minucie, od 08:00 do 17:59, tylko w poniedziałek, środę i piątek",
    "O 12:00, 1. dnia miesiąca, tylko w styczniu i czerwcu",
    "O 00:00, 1. dnia miesiąca i w niedzielę, co 3 miesiące",
  ],
  "pt": [
    "Às 02:30",
    "À hora certa, a cada 2 horas",
    "Às 09:00, de segunda-feira a sexta-feira",
    "Aos 5 e 35 minutos da hora, entre 08:00 e 17:59, apenas na segunda-feira, quarta-feira e sexta-feira",
    "Às 12:00, no dia 1 do mês, apenas em janeiro e junho",
    "Às 00:00, no dia 1 do mês e no domingo, a cada 3 meses",
  ],
  "pt-br": [
    "Às 02:30",
    "Na hora certa, a cada 2 horas",
    "Às 09:00, de segunda-feira a sexta-feira",
    "Aos 5 e 35 minutos da hora, entre 08:00 e 17:59, somente na segunda-feira, quarta-feira e sexta-feira",
    "Às 12:00, no dia 1 do mês, somente em janeiro e junho",
    "Às 00:00, no dia 1 do mês e no domingo, a cada 3 meses",
  ],
  "ru": [
    "В 02:30",
    "Ровно в час, каждые 2 часа",
    "В 09:00, с понедельника по пятницу",
    "В 5 и 35 минут, с 08:00 по 17:59, только в понедельник, среду и пятницу",
    "В 12:00, 1-го числа месяца, только в январе и июне",
    "В 00:00, 1-го числа месяца и в воскресенье, каждые 3 месяца",
  ],
  "zh-cn": [
    "在 02:30",
    "整点，每 2 小时",
    "在 09:00，星期一至星期五",
    "在整点后的第 5 和 35 分钟，在 08:00 和 17:59 之间，仅星期一、星期三和星期五",
    "在 12:00，限每月 1 号，仅于一月和六月",
    "在 00:00，限每月 1 号或者为星期日，每 3 个月",
  ],
  "zh-tw": [
    "在 02:30",
    "整點，每 2 小時",
    "在 09:00，星期一到星期五",
    "在整點後的 5 和 35 分，在 08:00 和 17:59 之間，僅在星期一、星期三和星期五",
    "在 12:00，每月 1 號，僅在一月和六月",
    "在 00:00，每月 1 號或星期日，每 3 個月",
  ],
};

Deno.test("a cron pattern is described in each of twelve languages", () => {
  for (const [language, words] of Object.entries(WORDS)) {
    assert.deepEqual(PATTERNS.map((pattern) => cronWords(language, pattern)), words, language);
  }
  assert.equal(Object.keys(WORDS).length, 12);
});

Deno.test("nouns agree with their number, gender and preposition", () => {
  const italian = {
    "0 0 1 1-3 *": "Alle 00:00, il giorno 1 del mese, da gennaio a marzo",
    "0 0 * * 0#3": "Alle 00:00, la terza domenica del mese",
  };
  for (const [pattern, words] of Object.entries(italian)) {
    assert.equal(cronWords("it", pattern), words, pattern);
  }
  const cases = {
    "0 0 1 1-3 *": "O 00:00, 1. dnia miesiąca, od stycznia do marca",
    "0 0 * * 0#3": "O 00:00, w trzecią niedzielę miesiąca",
    "0 0 * * 3L": "O 00:00, w ostatnią środę miesiąca",
    "0 */12 * * *": "O pełnej godzinie, co 12 godzin",
    "*/22 * * * *": "Co 22 minuty",
    "*/15 * * * *": "Co 15 minut",
    "0 0 * * 5#2": "O 00:00, w drugi piątek miesiąca",
    "0 0 15W * *": "O 00:00, w dzień roboczy najbliższy 15. dniowi miesiąca",
  };
  for (const [pattern, words] of Object.entries(cases)) {
    assert.equal(cronWords("pl", pattern), words, pattern);
  }
});

Deno.test("British English uses 24 hours", () => {
  const british = { language: "en", locale: "en-GB" };
  assert.equal(wordsOf(british, "30 14 * * *"), "At 14:30");
  assert.equal(cronWords("en", "30 14 * * *"), "At 2:30 PM");
});

Deno.test("the descriptions match the times of croner", () => {
  const cases = {
    "@hourly": "Every hour",
    "@midnight": "At 12:00 AM",
    "@annually": "At 12:00 AM, on day 1 of the month, only in January",
    "0 0 * * 7": "At 12:00 AM, only on Sunday",
    "0 0 L * *": "At 12:00 AM, on the last day of the month",
    "0 0 * * 5#2": "At 12:00 AM, on the second Friday of the month",
    // One of the two is enough, as in cron and croner.
    "0 0 1 * 1": "At 12:00 AM, on day 1 of the month, and on Monday",
  };
  for (const [pattern, words] of Object.entries(cases)) {
    assert.equal(cronWords("en", pattern), words, pattern);
  }
});

Deno.test("a pattern without a description returns null and does not throw", () => {
  for (const pattern of ["", "nonsense", "@every 1h", "99 * * * *", "a b c d e", "* * *"]) {
    assert.equal(cronWords("en", pattern), null, pattern);
  }
});
