import type { Language } from "./catalogs.ts";

type Correction = [wrong: RegExp, right: string | ((...groups: string[]) => string)];

/** Applies what cronstrue 3.39 gets wrong in a language: cases, articles, commas and blanks. */
export const correctCronWords = (language: Language, words: string): string =>
  (CORRECTIONS[language] ?? []).reduce(
    (text, [wrong, right]) => text.replace(wrong, right as string),
    words,
  ).trim();

const replaceAll = (names: Record<string, string>) => (name: string) => names[name] ?? name;

const POLISH_GENITIVE = {
  poniedziałek: "poniedziałku",
  wtorek: "wtorku",
  środa: "środy",
  czwartek: "czwartku",
  piątek: "piątku",
  sobota: "soboty",
  niedziela: "niedzieli",
};
const POLISH_ACCUSATIVE = { środa: "środę", sobota: "sobotę", niedziela: "niedzielę" };
const POLISH_LOCATIVE = {
  styczeń: "styczniu",
  luty: "lutym",
  marzec: "marcu",
  kwiecień: "kwietniu",
  maj: "maju",
  czerwiec: "czerwcu",
  lipiec: "lipcu",
  sierpień: "sierpniu",
  wrzesień: "wrześniu",
  październik: "październiku",
  listopad: "listopadzie",
  grudzień: "grudniu",
};
const POLISH_DAY = Object.keys(POLISH_GENITIVE).join("|");
const POLISH_MONTH = Object.keys(POLISH_LOCATIVE).join("|");

const RUSSIAN_ACCUSATIVE = { среда: "среду", пятница: "пятницу", суббота: "субботу" };
const RUSSIAN_LOCATIVE = {
  январь: "январе",
  февраль: "феврале",
  март: "марте",
  апрель: "апреле",
  май: "мае",
  июнь: "июне",
  июль: "июле",
  август: "августе",
  сентябрь: "сентябре",
  октябрь: "октябре",
  ноябрь: "ноябре",
  декабрь: "декабре",
};
const RUSSIAN_MONTH = Object.keys(RUSSIAN_LOCATIVE).join("|");

/** Only weekdays in "-feira" are feminine. */
const portugueseDays: Correction[] = [
  [/, e /g, " e "],
  [/(somente|apenas|e) de (sábado|domingo)/g, "$1 no $2"],
  [/(somente|apenas|e) de (\S+-feira)/g, "$1 na $2"],
  [/no dia da semana mais próximo/, "no dia útil mais próximo"],
];

const chinese: Correction[] = [
  [/, (或|和)/g, "$1"],
  [/\s*, /g, "，"],
  [/(第|每月的?|至|和|限每月)\s+(?=\d)/g, "$1 "],
  [/(?<=[\u4e00-\u9fff])\s+(?=[\u4e00-\u9fff])/g, ""],
  [/(星期.)，(?=星期)/g, "$1、"],
];

const CORRECTIONS: Record<Language, Correction[] | undefined> = {
  de: [
    [/, und /g, " und "],
    [/an Tag (\d+) des/, "am $1. Tag des"],
    [/zwischen Tag (\d+) und (\d+) des/, "vom $1. bis zum $2. Tag des"],
    [/am nächsten zum (\d+) Tag des Monats/, "am nächsten zum $1. Tag des Monats"],
  ],
  es: [
    [/, y /g, " y "],
    [/sólo/g, "solo"],
    [/el día de la semana más próximo/, "el día laborable más próximo"],
  ],
  fr: [
    [/ mois, et (?!le )/, " mois et le "],
    [/, et /g, " et "],
    [/(du|le) 1 (?=au |du mois)/, "$1 1er "],
  ],
  it: [
    [/, e /g, " e "],
    [/(?<=, |^)(lunedì|martedì|mercoledì|giovedì|venerdì|sabato) al /, "dal $1 al "],
    [/(?<=, |^)domenica al /, "dalla domenica al "],
    [/ al domenica/, " alla domenica"],
    [/\bil domenica/, "la domenica"],
    [/Al (.+) minuto passata l'ora/, "Ai minuti $1 di ogni ora"],
    [/il giorno della settimana più vicino/, "il giorno feriale più vicino"],
    [/tra il giorno (\d+) e (\d+)/, "dal giorno $1 al $2"],
  ],
  nl: [[/, en /g, " en "]],
  pl: [
    [/, i /g, " i "],
    [/(\d+)-ego/g, "$1."],
    [/([cC])o (\d*[02-9]?[234]) (godzin|minut|miesięcy)(?!\S)/g, polishFew],
    [
      new RegExp(`od (${POLISH_DAY}) do (${POLISH_DAY})`),
      (text) => text.replace(/\S+/g, replaceAll(POLISH_GENITIVE)),
    ],
    [
      new RegExp(`(?<=, | )(?:tylko|i) (?:${POLISH_DAY})(?:(?:, | i )(?:${POLISH_DAY}))*`),
      (text) => text.replace(/^(\S+) /, "$1 w ").replace(/[^\s,]+/g, replaceAll(POLISH_ACCUSATIVE)),
    ],
    [
      new RegExp(`tylko (?:${POLISH_MONTH})(?:(?:, | i )(?:${POLISH_MONTH}))*`),
      (text) =>
        text.replace(/^tylko /, "tylko w ").replace(/[^\s,]+/g, replaceAll(POLISH_LOCATIVE)),
    ],
    [/ostatni dzień miesiąca/, "ostatniego dnia miesiąca"],
    [/dzień roboczy najbliższy (\d+\.) dnia/, "w dzień roboczy najbliższy $1 dniowi"],
    [new RegExp(`(?<=, )(\\S+ (?:${POLISH_DAY}) miesiąca)`), "w $1"],
  ],
  pt: [[/somente/g, "apenas"], ...portugueseDays],
  "pt-br": portugueseDays,
  ru: [
    [/, и /g, " и "],
    [/(?<!,) (каждые \d+ месяц)/, ", $1"],
    [/в (\d+) число месяца/, "$1-го числа месяца"],
    [/месяца и (?!в )(\S+)/, (_, day) => `месяца и в ${replaceAll(RUSSIAN_ACCUSATIVE)(day)}`],
    [
      new RegExp(`только (?:${RUSSIAN_MONTH})(?:(?:, | и )(?:${RUSSIAN_MONTH}))*`),
      (text) =>
        text.replace("только ", "только в ").replace(/[^\s,]+/g, replaceAll(RUSSIAN_LOCATIVE)),
    ],
  ],
  "zh-cn": [
    ...chinese,
    [/每隔/g, "每"],
    [/在(?=\d)/g, "在 "],
    [/一月和六月份/, "一月和六月"],
  ],
  "zh-tw": [...chinese, [/每 (\d+) 月/, "每 $1 個月"], [/每月的(?= ?\d)/, "每月"]],
};

/** Polish counts 2 to 4 (and 22 to 24) by a form of its own, but not 12 to 14. */
function polishFew(text: string, _co: string, number: string): string {
  if (/^1[234]$/.test(number)) return text;
  return text.replace("godzin", "godziny").replace("minut", "minuty").replace(
    "miesięcy",
    "miesiące",
  );
}
