{{- /* A deployment of processes with the same roles. Takes the root, the name of the part, its values, its roles, and
settings that only it has. */ -}}
{{- define "redpen.deployment" -}}
{{- $root := .root -}}
apiVersion: apps/v1
kind: Deployment
metadata:
  name: {{ include "redpen.name" $root }}-{{ .part }}
  labels:
    {{- include "redpen.labels" $root | nindent 4 }}
    app.kubernetes.io/component: {{ .part }}
spec:
  {{- if not (dig "autoscaling" "enabled" false .values) }}
  replicas: {{ .values.replicas }}
  {{- end }}
  # The first new process migrates the database under a lock, and no old one stops before it is ready.
  strategy:
    type: RollingUpdate
    rollingUpdate:
      maxSurge: 1
      maxUnavailable: 0
  selector:
    matchLabels:
      {{- include "redpen.selector" $root | nindent 6 }}
      app.kubernetes.io/component: {{ .part }}
  template:
    metadata:
      labels:
        {{- include "redpen.labels" $root | nindent 8 }}
        app.kubernetes.io/component: {{ .part }}
      annotations:
        # Changed settings start new processes.
        checksum/settings: {{ toYaml (list $root.Values.settings $root.Values.secrets) | sha256sum }}
        {{- with .values.podAnnotations }}
        {{- toYaml . | nindent 8 }}
        {{- end }}
    spec:
      serviceAccountName: {{ include "redpen.name" $root }}
      automountServiceAccountToken: false
      # Kubernetes would add a variable for every service, such as REDPEN_PORT, which is no setting.
      enableServiceLinks: false
      terminationGracePeriodSeconds: 30
      securityContext:
        runAsNonRoot: true
        runAsUser: 1000
        runAsGroup: 1000
        fsGroup: 1000
        fsGroupChangePolicy: OnRootMismatch
      {{- with $root.Values.imagePullSecrets }}
      imagePullSecrets:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      containers:
        - name: redpen
          image: {{ printf "%s:%s" $root.Values.image.repository ($root.Values.image.tag | default $root.Chart.AppVersion) | quote }}
          imagePullPolicy: {{ $root.Values.image.pullPolicy }}
          securityContext:
            allowPrivilegeEscalation: false
            readOnlyRootFilesystem: true
            capabilities:
              drop: [ALL]
            seccompProfile:
              {{- toYaml .values.seccompProfile | nindent 14 }}
          env:
            - name: REDPEN_ROLES
              value: {{ .roles | quote }}
            # The volume itself belongs to root, so that the service closes a folder in it.
            - name: REDPEN_DATA_DIR
              value: /data/redpen
            {{- range $name, $value := mergeOverwrite (deepCopy $root.Values.settings) (.settings | default dict) }}
            - name: {{ $name }}
              value: {{ include "redpen.value" $value }}
            {{- end }}
          envFrom:
            - secretRef:
                name: {{ include "redpen.secret" $root }}
          ports:
            - name: http
              containerPort: 8080
          # A migration of large tables takes minutes, and until its end nothing is served.
          startupProbe:
            httpGet: { path: /health, port: http }
            periodSeconds: 5
            failureThreshold: 240
          # Not /health, which fails while the database is down: a restart does not bring it back, and ends reviews.
          livenessProbe:
            httpGet: { path: /live, port: http }
            periodSeconds: 10
            timeoutSeconds: 5
            failureThreshold: 6
          readinessProbe:
            httpGet: { path: /ready, port: http }
            periodSeconds: 5
            timeoutSeconds: 5
            failureThreshold: 2
          lifecycle:
            preStop:
              # Until every proxy knows that the process stops, requests still reach it.
              exec: { command: [sleep, '5'] }
          resources:
            {{- toYaml .values.resources | nindent 12 }}
          volumeMounts:
            - name: data
              mountPath: /data
            - name: tmp
              mountPath: /tmp
      {{- with .values.nodeSelector }}
      nodeSelector:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.tolerations }}
      tolerations:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      {{- with .values.affinity }}
      affinity:
        {{- toYaml . | nindent 8 }}
      {{- end }}
      topologySpreadConstraints:
        - maxSkew: 1
          topologyKey: kubernetes.io/hostname
          whenUnsatisfiable: ScheduleAnyway
          labelSelector:
            matchLabels:
              {{- include "redpen.selector" $root | nindent 14 }}
              app.kubernetes.io/component: {{ .part }}
      volumes:
        # Nothing that must last: rows are in PostgreSQL, files in the store of REDPEN_BLOB_URL, the key in the Secret.
        - name: data
          emptyDir: { sizeLimit: 1Gi }
        - name: tmp
          emptyDir: { sizeLimit: 2Gi }
{{- end -}}

{{- define "redpen.budget" -}}
{{- if .values.podDisruptionBudget.enabled -}}
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata:
  name: {{ include "redpen.name" .root }}-{{ .part }}
  labels:
    {{- include "redpen.labels" .root | nindent 4 }}
    app.kubernetes.io/component: {{ .part }}
spec:
  maxUnavailable: {{ .values.podDisruptionBudget.maxUnavailable }}
  selector:
    matchLabels:
      {{- include "redpen.selector" .root | nindent 6 }}
      app.kubernetes.io/component: {{ .part }}
{{- end -}}
{{- end -}}
