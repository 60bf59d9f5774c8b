{{- define "redpen.name" -}}
{{- if contains "redpen" .Release.Name -}}
{{- .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- else -}}
{{- printf "%s-redpen" .Release.Name | trunc 50 | trimSuffix "-" -}}
{{- end -}}
{{- end -}}

{{- define "redpen.selector" -}}
app.kubernetes.io/name: redpen
app.kubernetes.io/instance: {{ .Release.Name }}
{{- end -}}

{{- define "redpen.labels" -}}
{{ include "redpen.selector" . }}
app.kubernetes.io/version: {{ .Chart.AppVersion | quote }}
app.kubernetes.io/managed-by: {{ .Release.Service }}
helm.sh/chart: {{ printf "%s-%s" .Chart.Name .Chart.Version }}
{{- end -}}

{{- define "redpen.secret" -}}
{{- if .Values.existingSecret -}}
{{- .Values.existingSecret -}}
{{- else -}}
{{- include "redpen.name" . -}}
{{- end -}}
{{- end -}}

{{- /* The value of a setting as a quoted text. Numbers of files with values are floating, and those from a million on would
be written with an exponent. */ -}}
{{- define "redpen.value" -}}
{{- $text := . | toString -}}
{{- if kindIs "float64" . -}}
{{- if eq . (floor .) -}}
{{- $text = printf "%.0f" . -}}
{{- end -}}
{{- end -}}
{{- $text | quote -}}
{{- end -}}
