import type { AlertMessage } from "./message.ts";

type Mood = AlertMessage["mood"];

export const COLORS: Record<Mood, string> = {
  good: "#2e7d32",
  bad: "#c62828",
  question: "#ef6c00",
  neutral: "#1565c0",
};

export const SIGNS: Record<Mood, string> = {
  good: "✅",
  bad: "❌",
  question: "❓",
  neutral: "🔔",
};
