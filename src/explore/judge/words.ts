/* What a text of a page says, in the languages of most pages. A page in another one is judged by what it shows before its data comes. */

const failure =
  /\b(?:error|wrong|fail(?:ed|ure|s)?|could(?: not|n.t)|can(?:not|.t| not)|unable|unavailable|no (?:connection|internet|network|access|response|permission|answer)|keine verbindung|not available|unexpected|offline|problem|oops|sorry|again|retry|denied|forbidden|unauthori[sz]ed|expired|lost|fehler|nicht|leider|erneut|problem\w*|erreur|impossible|échec|échoué|réessay\w*|désolé|indisponible|fallo|falló|inténtal\w*|errore|impossibile|riprova|erro|falha|tente|fout|mislukt|opnieuw|fel|fejl|virhe|hata|błąd|nie udało)\b|no se (?:pudo|puede)|non (?:è|disponibile)|não foi|ошибк|не удалось|недоступ|エラー|失敗|できません|せんでした|再試行|错误|錯誤|失败|失敗|无法|無法|重试|오류|실패|못했|다시|خطأ|שגיאה|त्रुटि/iu
const none =
  /^\W*(?:no|none|nothing|keine?n?|nichts|aucune?|pas|rien|sin|ning\w+|nada|nessun\w*|niente|nenhum\w*|geen|inga?|ingen|ei|нет|ничего)\b|\b(?:empty|leer|vide|vac[ií][oa]|vuot[oa]|vazi[oa]|leeg|noch keine?|not .*(?:any|yet))\b|ありません|なし|没有|沒有|暂无|无数据|없습니다|없음/iu

/** Whether it says that something is coming, in any language. */
export function saysWaiting(text: string): boolean {
  return /^(?:…|\.{3})|(?:…|\.{3})$/.test(text) && !saysFailure(text)
}

export function saysFailure(text: string): boolean {
  return failure.test(text)
}

/** Whether it says that there is nothing, as of an empty list. */
export function saysNone(text: string): boolean {
  return none.test(text) && !saysFailure(text)
}

export function hasWords(text: string): boolean {
  return /\p{L}{2}/u.test(text)
}

/** "0 results" says no more than "8 results". */
export function withoutNumbers(text: string): string {
  return text.replace(/\d+(?:[.,:]\d+)*/g, '0')
}

/** Values that the code did not expect: "undefined copies left". Sentences about an error name such values, too. */
export function isBroken(text: string): boolean {
  const hasValue = /(?<![\w-])(?:undefined|null|NaN|\[object Object\]|Invalid Date)(?![\w-])/.test(text)
  return hasValue && !/\b(?:cannot|can't|could not|error|failed|is not)\b/i.test(text)
}

/** Addresses of pages to which a failure leads. */
export function isLoginOrError(address: string): boolean {
  return /log-?in|sign-?in|\bauth|\bsso\b|anmeld|connexion|error|oops|sorry|fehler|erreur|\b[45]\d\d\b|not-?found|unavailable|maintenance|offline/i.test(
    address,
  )
}
