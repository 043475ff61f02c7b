// The server side of the protocol PCCRR as a C++ class, with clauses as attributes; see epa_pccrr_second.
#pragma once

class PCCRR {
public:
  enum class Phase { GetPlatform, Init, Idle, Listening, SendNegoResp, SendBlkList, SendBlk, VerifyContent, End };
  enum class Platform { Windows7, NonWindows };

  [[clang::annotate("requires: phase == Phase::GetPlatform")]] void GetSutPlatform();
  [[clang::annotate("requires: phase == Phase::Init")]] void InitSut();
  [[clang::annotate("requires: phase == Phase::Listening && platform != Platform::Windows7 && sut == platform")]]
  void RcvNegoReq(Platform sut);
  [[clang::annotate("requires: phase == Phase::SendNegoResp")]] void SndNegoResp();
  [[clang::annotate("requires: phase == Phase::Idle")]] void TriggerSutDwnld();
  void RcvGetBlkList() __attribute__((annotate("requires: phase == Phase::Listening")));
  void SndBlkList() __attribute__((annotate("requires: phase == Phase::SendBlkList && isNormalMode")));
  void SndBlkListAb() __attribute__((annotate("requires: phase == Phase::SendBlkList && !isNormalMode")));
  void RcvGetBlk(int index) __attribute__((annotate("requires: phase == Phase::Listening && index >= 0 && index < 4")));
  void SndBlk(int index, bool timely, bool well_formed)
      __attribute__((annotate("requires: phase == Phase::SendBlk && index == blockIndex")));
  void SutTimeOut() __attribute__((annotate("requires: phase == Phase::Listening")));
  void SutVerifyBlk(int index)
      __attribute__((annotate("requires: phase == Phase::VerifyContent && index == blockIndex")));

private:
  // @invariant platform == Platform::NonWindows
  // @invariant blockIndex >= 0 && blockIndex < 4
  Phase phase = Phase::GetPlatform;
  Platform platform = Platform::NonWindows;
  bool isNormalMode = true;
  bool isDownloadComplete = false;
  int blockIndex = 0;
};
