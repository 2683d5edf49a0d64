{{- define "callboard.name" -}}
{{ default .Chart.Name .Values.nameOverride | trunc 63 | trimSuffix "-" }}
{{- end }}

{{- define "callboard.fullname" -}}
{{- if .Values.fullnameOverride -}}
{{ .Values.fullnameOverride | trunc 63 | trimSuffix "-" }}
{{- else -}}
{{- $name := include "callboard.name" . -}}
{{- $full := contains $name .Release.Name | ternary .Release.Name (printf "%s-%s" .Release.Name $name) -}}
{{ $full | trunc 63 | trimSuffix "-" }}
{{- end }}
{{- end }}

{{- define "callboard.selector" -}}
app.kubernetes.io/name: {{ include "callboard.name" . }}
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end }}

{{- define "callboard.labels" -}}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version | replace "+" "_" }}
{{ include "callboard.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
{{- end }}

{{- define "callboard.image" -}}
{{- $image := .Values.image -}}
{{- if $image.digest -}}
{{ $image.repository }}@{{ $image.digest }}
{{- else -}}
{{ $image.repository }}:{{ default .Chart.AppVersion $image.tag }}
{{- end }}
{{- end }}

{{- define "callboard.serviceAccount" -}}
{{- if .Values.serviceAccount.name -}}
{{ .Values.serviceAccount.name }}
{{- else -}}
{{ .Values.serviceAccount.create | ternary (include "callboard.fullname" .) "default" }}
{{- end }}
{{- end }}

{{- /* The public base URL without a slash at its end; empty if it is not known. */ -}}
{{- define "callboard.url" -}}
{{- if .Values.url -}}
{{ .Values.url | trimSuffix "/" }}
{{- else if .Values.ingress.enabled -}}
{{ empty .Values.ingress.tlsSecret | ternary "http" "https" }}://{{ .Values.ingress.host }}{{ .Values.ingress.path | trimSuffix "/" }}
{{- end }}
{{- end }}

{{- define "callboard.basePath" -}}
{{- with include "callboard.url" . -}}
{{ (urlParse .).path }}
{{- end }}
{{- end }}

{{- define "callboard.secrets" -}}
{{ include "callboard.fullname" . }}-generated
{{- end }}

{{- /* Name of the Secret that has the token of the metrics. */ -}}
{{- define "callboard.metricsSecret" -}}
{{ .Values.generate.metricsToken | ternary (include "callboard.secrets" .) .Values.existingSecret }}
{{- end }}

{{- define "callboard.generates" -}}
{{- with .Values.generate }}{{ if or .adminPassword .secretKey .metricsToken }}true{{ end }}{{ end }}
{{- end }}

{{- /* Fails for values that cannot work together. */ -}}
{{- define "callboard.check" -}}
{{- $values := .Values -}}
{{- if and (gt (int $values.replicas) 1) (not $values.store.url) -}}
{{ fail "More than one server needs a shared store: set store.url to a KV Connect service, or replicas to 1." }}
{{- end }}
{{- if and (not $values.store.url) (ne $values.strategy.type "Recreate") -}}
{{ fail "Two servers cannot use one database file: strategy.type must be Recreate unless store.url is set." }}
{{- end }}
{{- if and $values.store.url (not $values.existingSecret) (not $values.generate.secretKey) -}}
{{ fail "Servers of a shared store need the same key: put CALLBOARD_SECRET_KEY into existingSecret, or set generate.secretKey." }}
{{- end }}
{{- $metrics := $values.metrics -}}
{{- if and $metrics.serviceMonitor.enabled (not (include "callboard.metricsSecret" .)) -}}
{{ fail "A ServiceMonitor needs a token: put CALLBOARD_METRICS_TOKEN into existingSecret, or set generate.metricsToken." }}
{{- end }}
{{- end }}
