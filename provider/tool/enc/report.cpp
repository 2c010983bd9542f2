#include "report.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>

namespace gpuaes::enc {
namespace {

std::string digits(std::uint16_t crc)
{
  char text[5];
  std::snprintf(text, sizeof text, "%04x", crc);
  return text;
}

double rate(const Done& done) { return done.seconds > 0 ? static_cast<double>(done.bytes_in) / done.seconds / 1e9 : 0; }

}  // namespace

std::string json_of(const Done& done, bool decrypts)
{
  nlohmann::ordered_json json = {{"input", done.input},
                                 {"output", done.output},
                                 {"bytes_in", done.bytes_in},
                                 {"bytes_out", done.bytes_out},
                                 {"bytes_by_device", done.bytes_by_device},
                                 {"device", done.device},
                                 {"reason", done.reason},
                                 {"seconds", done.seconds},
                                 {"gigabytes_per_second", rate(done)}};
  if (done.crc16_in) json[decrypts ? "crc16_ciphertext" : "crc16_plaintext"] = digits(*done.crc16_in);
  if (done.crc16_out) json[decrypts ? "crc16_plaintext" : "crc16_ciphertext"] = digits(*done.crc16_out);
  if (done.verified) json["verified"] = true;
  return json.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace);
}

std::string stats_of(const Done& done)
{
  char text[128];
  std::snprintf(text, sizeof text, "%llu bytes in %.3f s, %.2f GB/s; ", static_cast<unsigned long long>(done.bytes_in),
                done.seconds, rate(done));
  std::string line = done.input + ": " + text;
  if (done.bytes_by_device == 0) return line + "all by the processor" + (done.reason.empty() ? "" : " (" + done.reason + ")");
  const auto all = static_cast<double>(std::max(done.bytes_in, done.bytes_by_device));
  std::snprintf(text, sizeof text, "%.0f %% by ", 100 * static_cast<double>(done.bytes_by_device) / all);
  return line + text + (done.device.empty() ? "a device that was lost (" + done.reason + ")" : done.device);
}

std::string checksums_of(const Done& done, bool decrypts)
{
  const auto plain = decrypts ? done.crc16_out : done.crc16_in, secret = decrypts ? done.crc16_in : done.crc16_out;
  if (!plain || !secret) return "";
  return done.input + ": plaintext crc16:" + digits(*plain) + "\n" + done.input + ": ciphertext crc16:" + digits(*secret) + "\n";
}

}  // namespace gpuaes::enc
