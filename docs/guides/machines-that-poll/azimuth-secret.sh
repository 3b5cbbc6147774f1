#!/bin/sh
# Keeps one file up to date with a ManagedSecret. Settings are environment variables:
#   AZIMUTH_URL       https://secrets.example.com/v1/secrets/<namespace>/<name>
#   AZIMUTH_AUDIENCE  audience of the endpoint, such as api://azimuth-secrets
#   AZIMUTH_FILE      file that gets the value (mode 0600); its directory exists and belongs to this user
#   AZIMUTH_CA        certificate authority of the endpoint, PEM
#   AZIMUTH_CLIENT_ID client id of the machine's identity, where it has several
#   AZIMUTH_HOOK      command to run after a change
#   AZIMUTH_WAIT      seconds of the long poll, 60 at most (default 60)
#   AZIMUTH_FORMAT    pem: a certificate as key, leaf and issuers in PEM (default: as the vault stores it)
#   AZIMUTH_ONCE      1: ask once and end
set -eu
umask 077
: "${AZIMUTH_URL:?}" "${AZIMUTH_AUDIENCE:?}" "${AZIMUTH_FILE:?}" "${AZIMUTH_CA:?}"
imds=${AZIMUTH_IMDS:-http://169.254.169.254}
tag_file=$AZIMUTH_FILE.etag
new_file=$AZIMUTH_FILE.new
head_file=$AZIMUTH_FILE.head
trap 'rm -f "$new_file" "$head_file"' EXIT
trap 'exit 0' INT TERM

get_token() {
  curl -sS -f -G --noproxy '*' --max-time 30 -H 'Metadata: true' \
    --data-urlencode 'api-version=2018-02-01' --data-urlencode "resource=$AZIMUTH_AUDIENCE" \
    ${AZIMUTH_CLIENT_ID:+--data-urlencode "client_id=$AZIMUTH_CLIENT_ID"} \
    "$imds/metadata/identity/oauth2/token" |
    sed -n 's/.*"access_token" *: *"\([^"]*\)".*/\1/p'
}

# The token goes through a pipe: arguments of a process are visible to every user of the machine.
ask() {
  token=$(get_token) || return 1
  [ -n "$token" ] || return 1
  tag=
  [ ! -f "$AZIMUTH_FILE" ] || [ ! -f "$tag_file" ] || tag=$(cat "$tag_file")
  status=$(printf 'header = "Authorization: Bearer %s"\n' "$token" |
    curl -sS --config - --cacert "$AZIMUTH_CA" --max-time 90 -H 'Accept: text/plain' \
      ${tag:+-H "If-None-Match: $tag"} -o "$new_file" -D "$head_file" -w '%{http_code}' \
      "$AZIMUTH_URL?wait=${AZIMUTH_WAIT:-60}${AZIMUTH_FORMAT:+&format=$AZIMUTH_FORMAT}") || return 1
  case $status in
  200)
    # The value before its tag: after a stop between the two the next request gets the value again.
    mv -f "$new_file" "$AZIMUTH_FILE"
    sed -n 's/^[Ee][Tt][Aa][Gg]: *\("[^"]*"\).*/\1/p' "$head_file" >"$tag_file.new"
    mv -f "$tag_file.new" "$tag_file"
    echo "azimuth-secret: $AZIMUTH_FILE has a new version"
    [ -z "${AZIMUTH_HOOK:-}" ] || sh -c "$AZIMUTH_HOOK" || echo "azimuth-secret: the hook failed" >&2
    ;;
  304) ;;
  *)
    code=$(sed -n 's/.*"code":"\([a-z_]*\)".*/\1/p' "$new_file" 2>/dev/null)
    echo "azimuth-secret: the endpoint answered $status $code" >&2
    return 1
    ;;
  esac
}

# A whole number below $1, so that machines do not ask at the same time.
random() { echo $(($(od -An -N2 -tu2 /dev/urandom) % $1)); }

delay=5
while :; do
  if ask; then
    [ "${AZIMUTH_ONCE:-0}" = 1 ] && exit 0
    delay=5
    sleep "$((1 + $(random 5)))"
  else
    [ "${AZIMUTH_ONCE:-0}" = 1 ] && exit 1
    sleep "$((delay + $(random "$delay")))"
    delay=$((delay * 2))
    [ "$delay" -le 300 ] || delay=300
  fi
done
